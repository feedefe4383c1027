package loop

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"rulph/internal/artifact"
	"rulph/internal/rubric"
	"rulph/internal/score"
	"rulph/internal/verdict"
)

// The simulations play loops with judges whose noise is known: a judge says yes to an item with a
// probability of its own, p or 1-p, so that two of its answers about the same artifact differ with
// probability flip = 2p(1-p). Half of the items lean to yes. What a loop says is then known to be right
// or wrong.

// panel is a setting of a simulation.
type panel struct {
	items  int     // judged items, in five criteria of one weight
	flip   float64 // 0-0.5
	judges int
}

func (x panel) String() string {
	return fmt.Sprintf("%d items, flip rate %.1f %%, %d judges", x.items, 100*x.flip, x.judges)
}

func (x panel) rubric() rubric.Rubric {
	r := rubric.New()
	r.Floor, r.Threshold = 0, 100
	for i := range x.items {
		if i%(x.items/5) == 0 {
			id := fmt.Sprintf("c%d", len(r.Criteria))
			r.Criteria = append(r.Criteria, rubric.Criterion{ID: id, Name: id, Weight: 20})
		}
		c := &r.Criteria[len(r.Criteria)-1]
		c.Items = append(c.Items, rubric.Item{ID: fmt.Sprintf("i%d", i), Text: "?"})
	}
	return r
}

// world is an artifact and its judges.
type world struct {
	panel
	rubric rubric.Rubric
	random *rand.Rand
	leans  []bool  // to yes, by item
	sure   float64 // probability of the answer an item leans to
}

func (x panel) world(seed uint64) *world {
	w := &world{panel: x, rubric: x.rubric(), leans: make([]bool, x.items), sure: (1 + math.Sqrt(1-2*x.flip)) / 2}
	w.random = rand.New(rand.NewPCG(seed, uint64(x.items*1_000_000+x.judges*10_000)+uint64(1000*x.flip)))
	for i := range w.leans {
		w.leans[i] = i%2 == 0
	}
	return w
}

// improve turns so many items that lean to no.
func (w *world) improve(items int) {
	for i := range w.leans {
		if items > 0 && !w.leans[i] {
			w.leans[i] = true
			items--
		}
	}
}

// score asks every judge once.
func (w *world) score() score.Result {
	in := score.Input{Rubric: w.rubric}
	for j := range w.judges {
		v := verdict.Verdict{Items: map[string]map[string]verdict.Answer{}}
		n := 0
		for _, c := range w.rubric.Criteria {
			items := make(map[string]verdict.Answer, len(c.Items))
			for _, it := range c.Items {
				word := verdict.No
				if (w.random.Float64() < w.sure) == w.leans[n] {
					word = verdict.Yes
				}
				items[it.ID] = verdict.Answer{Word: word}
				n++
			}
			v.Items[c.ID] = items
		}
		in.Judges = append(in.Judges, score.Judge{Name: fmt.Sprintf("j%d", j), State: score.Available, Verdict: v})
	}
	return score.Compute(in)
}

// start is a loop before its baseline.
func (w *world) start(rounds int) State {
	s := New()
	s.StartedAt, s.Threshold, s.Floor, s.MaxRounds = noon, 100, 0, rounds
	s.Rubric = &Locked{Body: w.rubric, Hash: "sha256:x"}
	s.Target = &Target{Spec: artifact.Spec{Root: "/"}, Label: "F"}
	for j := range w.judges {
		s.Judges = append(s.Judges, fmt.Sprintf("j%d", j))
	}
	return s
}

// play records the scoring of a new version.
func play(s State, res score.Result) State {
	s, err := Open(s, fmt.Sprint(len(s.History)), false, noon)
	if err == nil {
		s, err = Record(s, res, noon)
	}
	if err != nil {
		panic(err)
	}
	s.Restoring = nil
	return s
}

// calibrated measures the judges' noise with so many repeats.
func (w *world) calibrated(repeats int) score.Calibration {
	var results []score.Result
	for range repeats {
		results = append(results, w.score())
	}
	cal, err := score.Calibrate(w.rubric, results)
	if err != nil {
		panic(err)
	}
	return cal
}

// share counts for how many of 0 ... n-1 each of f's answers is true, on all processors.
func share[T comparable](n int, f func(seed int) []T) map[T]int {
	defer debug.SetGCPercent(debug.SetGCPercent(800)) // a third of the time would go to collecting small maps
	counts := map[T]int{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for k := range workers {
		wg.Go(func() {
			for i := k; i < n; i += workers {
				said := f(i)
				mu.Lock()
				for _, v := range said {
					counts[v]++
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return counts
}

var update = flag.Bool("update", false, "write the tables of docs/scoring.md anew")

// inScoring holds a table of docs/scoring.md to what was computed. The table stands between two comments
// that name it.
func inScoring(t *testing.T, name string, header []string, rows [][]string) {
	t.Helper()
	const path = "../../docs/scoring.md"
	doc, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	line := func(cells []string) { fmt.Fprintf(&want, "| %s |\n", strings.Join(cells, " | ")) }
	line(header)
	fmt.Fprintln(&want, strings.Repeat("|---", len(header))+"|")
	for _, r := range rows {
		line(r)
	}
	begin, end := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->\n"
	before, rest, ok := strings.Cut(string(doc), begin)
	got, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("docs/scoring.md has no place for the table %q", name)
	}
	if got == want.String() {
		return
	}
	if !*update {
		t.Errorf("the table %q of docs/scoring.md is not what was computed (-update writes it anew):\n%s", name, want.String())
		return
	}
	if err := os.WriteFile(path, []byte(before+begin+want.String()+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

func percent(n, of int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of)) }
