package rulph

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rulph/internal/evaluator"
	"rulph/internal/loop"
	"rulph/internal/rubric"
	"rulph/internal/session"
	"rulph/internal/ui"
)

// StartOptions are what `rulph start` and `rulph run` are given. Nil pointers take the rubric's value
// or the default.
type StartOptions struct {
	Cwd           string
	Targets       []string // empty: the rubric's target, beside the rubric
	Label         string   // how a person named the target; empty: the first of Targets
	Include       []string
	Text          []byte // the artifact itself, where the target is "-"
	Rubric        string // path
	Threshold     *float64
	Floor         *float64
	MaxRounds     *int
	MaxIterations *int
	Idle          *int
	Judges        []string    // see sessionPanel and runPanel
	Improver      string      // of a run
	Limits        loop.Limits // From is set where it is not
	Out           string      // folder for the report
	Replace       bool        // end a loop that is active
	Headless      bool
	Dir           string // where the rubric's commands run; empty: beside the rubric
}

// Start locks the rubric, snapshots the artifact, answers what needs no judge, and arms the loop. A
// start that is refused leaves nothing behind.
func (e Engine) Start(ctx context.Context, o StartOptions) (v View, err error) {
	path := absolute(o.Cwd, o.Rubric)
	r, err := e.readRubric(o.Cwd, o.Rubric)
	if err != nil {
		return View{}, err
	}
	s, err := e.newState(o, *r, path)
	if err != nil {
		return View{}, err
	}
	if err := e.free(o.Replace); err != nil {
		return View{}, err
	}
	defer func() {
		if err != nil {
			e.sweep(s)
		}
	}()
	a, err := e.target(&s, o, *r, path)
	if err != nil {
		return View{}, err
	}
	if err := e.Store.EnsureDir(e.SID); err != nil {
		return View{}, err
	}
	if err := a.Save(e.snapshot(s, -1)); err != nil {
		return View{}, fmt.Errorf("keep a copy of the artifact: %w", err)
	}
	s = look(s, a)
	if !o.Headless { // a run scores at once, and its checks would only run twice
		fixed, err := e.fixed(ctx, s, a)
		if err != nil {
			return View{}, err
		}
		s.Deviations = fixed.warnings()
	}
	if err := e.arm(&s, o.Replace); err != nil {
		return View{}, err
	}
	v = e.view(s)
	v.Estimate = estimate(s, a)
	return v, nil
}

// arm writes the new loop into the state. A state that is damaged is kept under another name, and the
// loop warns of it.
func (e Engine) arm(s *loop.State, replace bool) error {
	write := func(old []byte) ([]byte, error) {
		if err := e.vacant(old, replace); err != nil {
			return nil, err
		}
		return s.Write(dropLoop(old))
	}
	err := e.Store.Transform(e.SID, write)
	if damaged, ok := errors.AsType[*session.DamagedError](err); ok && damaged.Kept != "" {
		s.Deviations = append(s.Deviations, damaged.Error())
		err = e.Store.Transform(e.SID, write)
	}
	return err
}

func (e Engine) newState(o StartOptions, r rubric.Rubric, path string) (loop.State, error) {
	s := loop.New()
	s.StartedAt, s.ProgressAt = e.Now().UTC(), e.Now().UTC()
	s.Threshold, s.Floor, s.MaxRounds = r.Threshold, r.Floor, r.MaxRounds
	s.Headless, s.Out = o.Headless, o.Out
	if o.Out != "" {
		s.Out = absolute(o.Cwd, o.Out)
	}
	for _, f := range []struct {
		flag string
		from *float64
		to   *float64
	}{{"threshold", o.Threshold, &s.Threshold}, {"floor", o.Floor, &s.Floor}} {
		if f.from == nil {
			continue
		}
		if v := *f.from; math.IsNaN(v) || v < 0 || v > 100 {
			return s, ui.Bad("--%s is a number from 0 to 100, not %v", f.flag, v)
		}
		*f.to = *f.from
	}
	for _, f := range []struct {
		flag string
		from *int
		to   *int
		most int
	}{{"max-rounds", o.MaxRounds, &s.MaxRounds, 100}, {"max-iterations", o.MaxIterations, &s.MaxIterations, 1000}, {"idle", o.Idle, &s.Idle, 100}} {
		if f.from == nil {
			continue
		}
		if *f.from < 0 || *f.from > f.most {
			return s, ui.Bad("--%s is a whole number from 0 to %d, not %d", f.flag, f.most, *f.from)
		}
		*f.to = *f.from
	}
	s = s.Limited(e.counted(o.Limits))
	dir := o.Dir
	if dir == "" {
		dir = filepath.Dir(path)
	}
	s.Rubric = &loop.Locked{Path: path, Title: r.Title, Hash: r.Hash(), Dir: dir, Body: r}
	return s, e.seat(&s, o)
}

// counted are limits whose time counts from now, where it does not yet.
func (e Engine) counted(l loop.Limits) loop.Limits {
	if l.Seconds > 0 && l.From.IsZero() {
		l.From = e.Now().UTC()
	}
	return l
}

// seat says who judges, and in a run who improves.
func (e Engine) seat(s *loop.State, o StartOptions) (err error) {
	var p panel
	asks := hasJudgeItems(s.Rubric.Body)
	if !o.Headless {
		if !asks {
			return nil
		}
		texts := o.Judges
		if len(texts) == 0 {
			texts = DefaultJudges
		}
		p, err = e.sessionPanel(texts)
		s.Judges, s.Programs = p.names, p.programs
		return err
	}
	improver, err := e.improverOf(o.Improver, s.Rubric.Body)
	if err != nil {
		return err
	}
	if improver.Kind != evaluator.Fix {
		s.Improver = improver.String()
	}
	if !asks {
		return nil
	}
	p, caveat, err := e.runPanel(o.Judges, improver)
	if err != nil {
		return err
	}
	if caveat != "" {
		s.Caveats = append(s.Caveats, caveat)
	}
	s.Judges, s.Programs = p.names, p.programs
	return e.someUsable(*s)
}

// unseen says which programs the limits cannot see.
func unseen(s loop.State) (caveats []string) {
	if s.Limits == nil || s.Limits.USD == 0 && s.Limits.Tokens == 0 {
		return nil
	}
	var blind, silent []string
	for _, text := range append(slices.Collect(maps.Values(s.Programs)), s.Improver) {
		spec, err := evaluator.ParseJudge(text)
		switch {
		case err != nil:
		case spec.Kind == evaluator.CommandLine && !slices.Contains(silent, text):
			silent = append(silent, text)
		case spec.Kind != evaluator.CommandLine && spec.Kind != evaluator.Claude && spec.Price == nil && !slices.Contains(blind, text):
			blind = append(blind, text)
		}
	}
	if len(blind) > 0 && s.Limits.USD > 0 {
		slices.Sort(blind)
		caveats = append(caveats, fmt.Sprintf("%s tells tokens and no price, so what it costs is not in the figure that --max-usd limits; give its price with price=IN/OUT, in USD per million tokens", strings.Join(blind, ", ")))
	}
	if len(silent) > 0 {
		slices.Sort(silent)
		caveats = append(caveats, fmt.Sprintf("%s tells neither tokens nor a price, so of the limits only --max-time holds for it", strings.Join(silent, ", ")))
	}
	return caveats
}

// sweep takes away the files of a loop that did not come about, and the folders that are empty then.
// Where that fails there is only more left than has to be.
func (e Engine) sweep(s loop.State) {
	dir := e.dir(s)
	_ = os.RemoveAll(dir)
	_ = os.Remove(filepath.Dir(dir))
	_, _ = e.Store.ClearEmpty(e.SID)
}

// free refuses to start where no loop may be written.
func (e Engine) free(replace bool) error {
	doc, err := e.Store.Load(e.SID)
	if err != nil {
		return nil // there is no state, or none that can be read: arm deals with it
	}
	return e.vacant(doc, replace)
}

// vacant refuses to write a loop over what a state holds: a loop of a newer version, and, without
// replace, one that goes on or cannot be read.
func (e Engine) vacant(doc []byte, replace bool) error {
	prev, err := e.parse(doc)
	switch {
	case errors.Is(err, errNoLoop):
		return nil
	case errors.Is(err, loop.ErrNewer):
		return err
	case replace:
		return nil
	case err != nil:
		return err
	case prev.Live() && prev.Result == "":
		return e.busy(prev)
	}
	return nil
}

func (e Engine) busy(prev loop.State) error {
	return ui.Fail(ui.BadInput, fmt.Errorf("session %s has an active loop (round %d of %d, score %.1f)", e.SID, prev.Round, prev.MaxRounds, prev.Score),
		"go on with it: '"+e.CLI.Rulph("next")+"'", "end it with '"+e.CLI.Rulph("cancel")+"'", "start over it with --replace")
}

func absolute(cwd, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(cwd, path)
}
