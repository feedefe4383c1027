package score

import (
	"math"

	"rulph/internal/rubric"
)

// Word says what a change of the score comes to.
type Word string

// The four words.
const (
	Improved Word = "IMPROVED"
	// Regressed is the mirror image of Improved.
	Regressed Word = "REGRESSED"
	// NoChange: the answers that changed could have told a change from chance, and did not.
	NoChange Word = "NO CREDIBLE CHANGE"
	// Underpowered: too few answers changed to tell anything, or they lean one way and not far enough.
	Underpowered Word = "UNDERPOWERED"
)

// Significance is the probability with which a loop without any real change may say IMPROVED at all.
// One comparison of several gets its share of it as its level.
const Significance = 0.05

// Change is what lies between two scorings of the same rubric. Points are of the overall score.
type Change struct {
	Word  Word    `json:"word"`
	Delta float64 `json:"delta"` // points, after - before
	// Better and Worse count the judged units that rose and fell: items that judges answer, by the share
	// of yes, and criteria with levels or points, by the mean mark, over the judges that answered both
	// times, and by half a step at least. For items that is half of the judges, after those that moved
	// one way are set off against those that moved the other.
	Better int `json:"better"`
	Worse  int `json:"worse"`
	// Certain is how many points the answers of the text and of commands account for: what the overall
	// score before would have risen by with only those answers changed that are there both times.
	Certain float64 `json:"certain"`
	// P is the sign test of the units that changed, in the direction of the more; nil where none did.
	P     *float64 `json:"p,omitempty"`
	Level float64  `json:"level"` // P at or below it is credible
	// NeedItems is how many changed units would decide if they leaned as these do, and NeedRepeats how
	// often each judge would have to score each side until the noise band is smaller than Delta. Both are
	// for Underpowered alone; 0 is not known, or, for repeats, no more than the one there was.
	NeedItems   int `json:"need_items,omitempty"`
	NeedRepeats int `json:"need_repeats,omitempty"`
}

// Compare says in a word what became of an artifact between two scorings by rubric r. Level is the
// probability with which the word may be IMPROVED where nothing really changed (0-1); band is the
// measured noise of Delta in points, nil where it was not measured.
//
// Judges err, so their answers have to pass an exact sign test over the units that changed. A unit is an
// item, not an answer: three judges that read the same sentence are not three pieces of evidence. Text
// and commands do not err, so what changed by them counts as it is. The word never contradicts the sign
// of Delta. A void result on either side is no change: nothing was measured.
func Compare(r rubric.Rubric, before, after Result, level float64, band *float64) Change {
	ch := Change{Word: NoChange, Level: level}
	if before.Void || after.Void {
		return ch
	}
	ch.Delta = after.Overall - before.Overall
	ch.Certain = certain(r, before, after)
	ch.Better, ch.Worse = moved(r, before, after)
	most, least := max(ch.Better, ch.Worse), min(ch.Better, ch.Worse)
	if most > 0 {
		p := SignTest(most, least)
		ch.P = &p
	}
	switch up, down := ch.credible(); {
	case up:
		ch.Word = Improved
	case down:
		ch.Word = Regressed
	case most > least && ch.undecided(most+least):
		ch.Word = Underpowered
		ch.NeedItems = needItems(most, least, level)
		ch.NeedRepeats = needRepeats(ch.Delta, band)
	}
	return ch
}

// credible says whether the change is a rise or a fall that is more than noise. The judges' items speak
// first; where they say nothing, the text and the commands do.
func (ch Change) credible() (up, down bool) {
	judged := ch.P != nil && *ch.P <= ch.Level
	rise := judged && ch.Better > ch.Worse || !judged && exceeds(ch.Certain, 0)
	fall := judged && ch.Worse > ch.Better || !judged && exceeds(0, ch.Certain)
	return rise && exceeds(ch.Delta, 0), fall && exceeds(0, ch.Delta)
}

// undecided says that n changed units with a direction are too few to call it no change: not even all of
// them together could have reached the level, or they are credible alone, at 0.05, but not as one of
// the several comparisons of a loop.
func (ch Change) undecided(n int) bool {
	return *ch.P > ch.Level && (SignTest(n, 0) > ch.Level || *ch.P <= Significance)
}

// moved counts the judged units that rose and fell by half a step or more. Counting every move would make
// a panel the more easily excited the more judges it has: of three that err in 7 of 100 answers, one
// changes its mind about every third item, and two about every fortieth. And one judge in a better mood,
// which moves many items a little, is no evidence of anything.
func moved(r rubric.Rubric, before, after Result) (better, worse int) {
	both := pairs(before, after)
	for _, c := range r.Criteria {
		for _, u := range units(c) {
			if u.fixed {
				continue
			}
			var rise, judges float64 // sums over the same judges
			for _, p := range both {
				was, ok := p[0].value(c, u.item)
				is, ok2 := p[1].value(c, u.item)
				if ok && ok2 {
					rise, judges = rise+is-was, judges+1
				}
			}
			half := step(c) * judges / 2
			switch {
			case judges > 0 && AtLeast(rise, half):
				better++
			case judges > 0 && AtLeast(-rise, half):
				worse++
			}
		}
	}
	return better, worse
}

// pairs are the judges available both times. A judge that was there once would bring its own severity
// in, or take it away, and every item would seem to move.
func pairs(before, after Result) (both [][2]JudgeResult) {
	for _, a := range before.Judges {
		for _, b := range after.Judges {
			if a.Name == b.Name && a.State == Available && b.State == Available {
				both = append(both, [2]JudgeResult{a, b})
			}
		}
	}
	return both
}

// unit is what counts as one piece of evidence: an item, or a criterion with levels or points, which has
// the item "".
type unit struct {
	item  string
	fixed bool // the text or a command answers it
}

func units(c rubric.Criterion) []unit {
	if c.Scale() != rubric.Checklist {
		return []unit{{}}
	}
	us := make([]unit, len(c.Items))
	for i, it := range c.Items {
		us[i] = unit{it.ID, it.Kind() != rubric.ByJudge}
	}
	return us
}

// value is what the judge gave a unit, 0-100; false when it gave nothing that counts.
func (j JudgeResult) value(c rubric.Criterion, item string) (float64, bool) {
	return j.part(c, func(_, id string) bool { return id == item })
}

// certain is how many points the overall score before would have risen by with only the answers of the
// text and the commands changed. An answer that is missing on either side stays as it was: a command
// that could not run has not mended anything by leaving the denominator.
func certain(r rubric.Rubric, before, after Result) float64 {
	now := answered(after)
	changed := false
	mixed := make([]JudgeResult, len(before.Judges))
	for i, j := range before.Judges {
		mixed[i] = j
		if j.State != Available {
			continue
		}
		mixed[i].Items = make(map[string]map[string]Outcome, len(j.Items))
		for _, c := range r.Criteria {
			items := make(map[string]Outcome, len(c.Items))
			for _, it := range c.Items {
				was := j.Items[c.ID][it.ID]
				items[it.ID] = was
				if is := now[c.ID][it.ID]; it.Kind() != rubric.ByJudge && is.known() && was.known() && is != was {
					items[it.ID], changed = is, true
				}
			}
			mixed[i].Items[c.ID] = items
		}
	}
	if !changed {
		return 0
	}
	everything := func(string, string) bool { return true }
	was, _ := overall(r, before.Judges, everything)
	is, _ := overall(r, mixed, everything)
	return is - was
}

// answered are the outcomes of one available judge; fixed ones are the same for every judge.
func answered(r Result) map[string]map[string]Outcome {
	for _, j := range r.Judges {
		if j.State == Available {
			return j.Items
		}
	}
	return nil
}

// known reports an answer of the text or of a command.
func (o Outcome) known() bool { return o == Yes || o == No }

// needItems is the smallest number of changed units, more than there are, that would be credible if at
// most the share most/(most+least) of them, rounded down, leaned one way; 0 where 10,000 are not enough.
func needItems(most, least int, level float64) int {
	const enough = 10_000
	for n := most + least + 1; n <= enough; n++ {
		wins := n * most / (most + least)
		if SignTest(wins, n-wins) <= level {
			return n
		}
	}
	return 0
}

// needRepeats is how often each judge would have to score each side for the mean of the repeats to have
// a band below |delta|: the band shrinks by the square root of the repeats. 0 where no band is known,
// nothing moved, or the band is smaller already.
func needRepeats(delta float64, band *float64) int {
	const most = 1_000_000
	d := math.Abs(delta)
	if band == nil || !exceeds(d, 0) || !exceeds(*band, d) {
		return 0
	}
	return int(min(math.Ceil(*band/d*(*band/d)), most))
}
