package rulph

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"rulph/internal/loop"
	"rulph/internal/prompt"
	"rulph/internal/ui"
)

// EvaluateOptions are what `rulph evaluate` is given.
type EvaluateOptions struct {
	Judges  []string      // of the loop's programs; empty: all of them
	Timeout time.Duration // of each call; 0: the evaluator's
	Again   bool          // open a round although the artifact has not changed
}

// errTime cuts judges and improvers short when their time is over.
var errTime = errors.New("the time limit is reached")

// Evaluate has the judges of the loop that are programs answer side by side, those that have not answered
// in this round. Each answer is stored as it comes, so that nothing is lost of those that are done,
// whatever becomes of the rest. A budget that is spent ends the loop instead.
func (e Engine) Evaluate(ctx context.Context, o EvaluateOptions) (View, error) {
	s, err := e.evaluable(o)
	if err != nil {
		return View{}, err
	}
	release, err := e.claim(s)
	if err != nil {
		return View{}, err
	}
	defer release()
	if err := e.stopWhenUnlocked(s); err != nil {
		return View{}, err
	}
	if loop.Exhausted(s, e.Now()) != "" || loop.Decide(s, e.Now()).Over {
		return e.spent(ctx, s)
	}
	mine := s
	if s, err = e.judge(ctx, s, o); errors.Is(err, errTime) {
		return e.spent(ctx, mine)
	}
	if err != nil {
		return View{}, err
	}
	return e.view(s), nil
}

// spent ends a loop that may ask nobody any more. What was answered until then of the version on disk counts:
// it was paid for.
func (e Engine) spent(ctx context.Context, mine loop.State) (View, error) {
	s, err := e.live()
	if err == nil {
		err = replaced(mine, s)
	}
	if err != nil {
		return View{}, err
	}
	if a, err := e.read(s); err == nil && s.Answered() && s.Pending.Artifact == a.Hash() {
		return e.Score(ctx, ScoreOptions{Partial: true})
	}
	d := loop.Decide(s, e.Now())
	if why := loop.Exhausted(s, e.Now()); !d.Over && why != "" { // the answers are of a version that is gone
		d = loop.Decision{Over: true, Result: loop.Budget, Reason: why}
	}
	if d.Over {
		if s, err = e.end(s, d); err != nil {
			return View{}, err
		}
	}
	return e.view(s), nil
}

// evaluable is the loop, where its programs can be asked.
func (e Engine) evaluable(o EvaluateOptions) (loop.State, error) {
	s, err := e.live()
	if err != nil {
		return s, err
	}
	if len(s.Programs) == 0 {
		return s, ui.Fail(ui.BadInput, errors.New("no judge of this loop is a program"), loop.NextStep(s, e.changed(s), e.CLI).Text,
			"programs are named at the start: '"+e.CLI.Rulph("start --judge codex --judge gemini")+"'")
	}
	for _, name := range o.Judges {
		if s.Programs[name] == "" {
			return s, ui.Bad("%q is no judge of this loop that is a program; those are %s", name, strings.Join(s.ProgramNames(), ", "))
		}
	}
	return s, nil
}

// judge asks the programs that have not answered, and stores what each says as it ends.
func (e Engine) judge(ctx context.Context, s loop.State, o EvaluateOptions) (loop.State, error) {
	a, err := e.read(s)
	if err != nil {
		return s, err
	}
	var chairs []chair
	s, err = e.update(func(s loop.State) (loop.State, error) {
		s, err := loop.Open(s, a.Hash(), o.Again, e.Now().UTC())
		if err != nil {
			return s, e.unchanged(s, err)
		}
		chairs = chairs[:0]
		for _, name := range s.Unanswered() {
			if s.Programs[name] == "" || len(o.Judges) > 0 && !slices.Contains(o.Judges, name) {
				continue
			}
			var seat *loop.Seat
			if s, seat, err = loop.Sit(s, name, prompt.NewTicket()); err != nil {
				return s, err
			}
			chairs = append(chairs, chair{judge: name, program: s.Programs[name], form: s.Form(name), ticket: seat.Ticket})
		}
		s.Waiting = false
		return look(s, a), nil
	})
	if err != nil {
		return s, err
	}
	ctx, stop := e.limited(ctx, s)
	defer stop()
	ctx, unheed := e.heed(ctx, s)
	defer unheed()
	q := question{artifact: a, rubric: s.Rubric.Body, timeout: o.Timeout, usd: left(s)}
	var failed error // to store an answer; the last one counts
	askErr := e.ask(ctx, chairs, q, func(c chair, seat loop.Seat) {
		_, err := e.same(s, func(s loop.State) (loop.State, error) {
			if seat.State == "" { // cut short: only what it cost counts
				return loop.Charge(s, "judge "+c.judge, seat.Work.Spent), nil
			}
			s, err := loop.Settle(s, c.judge, seat)
			if errors.Is(err, loop.ErrLate) {
				err = nil
			}
			s.ProgressAt = e.Now().UTC()
			return s, err
		})
		if err != nil {
			failed = fmt.Errorf("store the answer of %s: %w", c.judge, err)
		}
	})
	if askErr != nil {
		_, err := e.same(s, func(s loop.State) (loop.State, error) { return loop.Rise(s, s.ProgramNames()), nil })
		if errors.Is(err, errReplaced) {
			return s, err
		}
		return s, errors.Join(e.gone(s, askErr), err)
	}
	if failed != nil {
		return s, failed
	}
	return e.load()
}

// limited ends ctx when the time of s is over.
func (e Engine) limited(ctx context.Context, s loop.State) (context.Context, context.CancelFunc) {
	if deadline, ok := s.Deadline(); ok {
		return context.WithTimeoutCause(ctx, deadline.Sub(e.Now()), errTime)
	}
	return context.WithCancel(ctx)
}

// errOver cuts programs short whose loop is over, or has made room for another one.
var errOver = errors.New("the loop is over")

// heed ends ctx when somebody ends the loop, or replaces it, while programs work for it.
func (e Engine) heed(ctx context.Context, mine loop.State) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		tick := time.NewTicker(heedEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			doc, err := e.Store.Load(e.SID)
			if err != nil {
				continue // a state that cannot be read now may be in a moment
			}
			if s, err := loop.Parse(doc); err == nil && (!s.Live() || s.Result != "" || replaced(mine, s) != nil) {
				cancel(errOver)
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}

const heedEvery = time.Second

// gone is the error of programs that were cut short because their loop was ended: how it ended, or that it
// was replaced. Any other error stays as it is.
func (e Engine) gone(mine loop.State, err error) error {
	if !errors.Is(err, errOver) {
		return err
	}
	s, loadErr := e.load()
	if loadErr == nil {
		loadErr = replaced(mine, s)
	}
	if loadErr != nil {
		return loadErr
	}
	return e.over(s)
}

// left is what may still be spent, in USD; 0 where there is no limit.
func left(s loop.State) float64 {
	if s.Limits == nil || s.Limits.USD <= 0 {
		return 0
	}
	if s.Spent == nil {
		return s.Limits.USD
	}
	return s.Limits.USD - s.Spent.USD
}

// claim makes sure that only one call asks the programs of a loop, and lets Await see that one does.
func (e Engine) claim(s loop.State) (release func(), err error) {
	return e.hold(s, asking, errors.New("the judges are being asked already"), "wait for them with '"+e.CLI.Rulph("wait")+"'")
}

const asking = "asking.lock"

// hold takes a lock of this loop, or fails with busy. Until release nobody else gets it.
func (e Engine) hold(s loop.State, name string, busy error, hints ...string) (release func(), err error) {
	lock, err := e.lock(s, name)
	if err != nil {
		return nil, err
	}
	soon, stop := context.WithTimeout(context.Background(), 100*time.Millisecond) // somebody may only be looking
	defer stop()
	ok, err := lock.TryLockContext(soon, 10*time.Millisecond)
	switch {
	case ok:
		return func() { _ = lock.Unlock() }, nil
	case errors.Is(err, context.DeadlineExceeded):
		return nil, ui.Fail(ui.BadInput, busy, hints...)
	}
	return nil, fmt.Errorf("take %s: %w", name, err)
}

func (e Engine) lock(s loop.State, name string) (*flock.Flock, error) {
	if err := os.MkdirAll(e.dir(s), 0o700); err != nil {
		return nil, fmt.Errorf("take %s: %w", name, err)
	}
	return flock.New(filepath.Join(e.dir(s), name)), nil
}

// Asking says whether some call asks the programs of the loop right now.
func (e Engine) Asking() (bool, error) {
	s, err := e.load()
	if err != nil {
		return false, err
	}
	return e.asking(s)
}

func (e Engine) asking(s loop.State) (bool, error) {
	lock, err := e.lock(s, asking)
	if err != nil {
		return false, err
	}
	ok, err := lock.TryLock()
	if err != nil {
		return false, fmt.Errorf("look whether judges are asked: %w", err)
	}
	if ok {
		return false, lock.Unlock()
	}
	return true, nil
}

// Log is where a detached evaluation writes what it has to say.
func (e Engine) Log() (string, error) {
	s, err := e.evaluable(EvaluateOptions{})
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(e.dir(s), 0o700); err != nil {
		return "", fmt.Errorf("keep the log of the judges: %w", err)
	}
	return filepath.Join(e.dir(s), "asking.log"), nil
}

// Await waits until the programs of the loop have answered, nobody asks them any more, or the time is
// over. Judges that nobody asks lose their seats, so that the next step is to ask them again.
func (e Engine) Await(ctx context.Context, timeout time.Duration) (View, error) {
	s, err := e.load()
	if err != nil {
		return View{}, err
	}
	if _, over := s.Ended(); over {
		return e.view(s), nil // by a limit that somebody else saw: there is nothing to wait for
	}
	if _, err = e.evaluable(EvaluateOptions{}); err != nil {
		return View{}, err
	}
	until := time.NewTimer(timeout)
	defer until.Stop()
	for {
		asked, err := e.asking(s) // before the state: an answer that comes in between is in it
		if err != nil {
			return View{}, err
		}
		if s, err = e.load(); err != nil {
			return View{}, err
		}
		open := s.Asked()
		switch {
		case len(open) == 0 || !s.Live():
			return e.view(s), nil
		case !asked:
			s, err = e.same(s, func(s loop.State) (loop.State, error) { return loop.Lost(s), nil })
			if err != nil {
				return View{}, err
			}
			return e.view(s), nil
		}
		select {
		case <-ctx.Done():
			return View{}, context.Cause(ctx)
		case <-until.C:
			return e.view(s), nil
		case <-time.After(200 * time.Millisecond):
		}
	}
}
