package skillscore

import (
	"fmt"
	"strings"

	"rulph/internal/trial"
)

// The texts for the user are in their language: English and French here, and an agent that speaks another
// one translates. The French of the gate is that of the original skill.

// Languages are those that have texts.
var Languages = []string{"en", "fr"}

var plateau = map[string]string{
	"fr": `⚠️  5 runs consécutifs sans amélioration — qualité à son maximum sur chaque run.
    Deux hypothèses :
    • Le skill est au plafond : il exécute correctement ce que le rubric mesure.
    • Les inputs récents étaient trop faciles : ils ne sollicitent pas les angles difficiles du skill.
    Pour distinguer les deux : teste le skill manuellement sur un cas plus complexe.
    Si le résultat est bon → le skill est prêt. Si non → il reste des angles à couvrir.`,
	"en": `⚠️  5 runs in a row without improvement — quality at its maximum in each.
    Two hypotheses:
    • The skill is at its ceiling: it does right what the rubric measures.
    • The recent inputs were too easy: they do not touch the difficult angles of the skill.
    To tell them apart, try the skill by hand on a harder case.
    If the result is good → the skill is ready. If not → there are angles left to cover.`,
}

var exhausted = map[string]string{
	"fr": `⚠️  5 runs consécutifs sans amélioration — Fork B ne trouve plus de modifications valides.
    Le skill a probablement atteint ses limites sur les angles couverts récemment.
    Un input différent exposera de nouveaux angles.`,
	"en": `⚠️  5 runs in a row without improvement — fork B finds no valid changes any more.
    The skill has probably reached its limits on the angles covered lately.
    A different input will expose new angles.`,
}

var gateQuestion = map[string]string{
	"fr": "Que veux-tu faire ? A) Continuer avec un nouvel input (nouveau segment = historique rejets vierge) B) Continuer avec le même angle C) Arrêter",
	"en": "What do you want to do? A) Go on with a new input (new segment = no known rejections) B) Go on with the same angle C) Stop",
}

var rubricChanged = map[string]string{
	"fr": "⚠️  Le rubric n'est plus celui des runs de ce segment : leurs scores ne se comparent plus.\nQue veux-tu faire ? A) Ouvrir un nouveau segment avec ce rubric C) Arrêter (et remettre l'ancien rubric)",
	"en": "⚠️  The rubric is no longer the one of this segment's runs: their scores cannot be compared.\nWhat do you want to do? A) Open a new segment with this rubric C) Stop (and put the old rubric back)",
}

var inputQuestion = map[string]string{
	"fr": "Donne-moi un input réel pour [%s] — exactement ce que tu lui passerais.",
	"en": "Give me a real input for [%s] — exactly what you would hand to it.",
}

// message is what the user has to see at this phase; "" for phases that are none of their concern.
func message(s trial.State) string {
	switch {
	case s.Phase == trial.Gate && s.GateFor == trial.NewRubric:
		return rubricChanged[s.Lang]
	case s.Phase == trial.Gate && s.History.AllAtMax:
		return plateau[s.Lang] + "\n" + gateQuestion[s.Lang]
	case s.Phase == trial.Gate:
		return exhausted[s.Lang] + "\n" + gateQuestion[s.Lang]
	case s.Phase == trial.Input:
		return fmt.Sprintf(inputQuestion[s.Lang], s.Skill.Name)
	}
	return ""
}

// Labels are the words of the comparison.
type Labels struct {
	Original, Variant, Quality, Efficiency, Calls, Questions, Tokens, Steps, Change, Estimated, None string
}

var labels = map[string]Labels{
	"fr": {"Original", "Variante", "Qualité", "── Efficience", "MCP calls", "AskUserQuestion", "Tokens injectés", "Étapes exécutées", "Changement apporté", "~ : estimé, le client ne le rapporte pas", "aucun"},
	"en": {"Original", "Variant", "Quality", "── Efficiency", "MCP calls", "AskUserQuestion", "Tokens injected", "Steps done", "Change", "~: estimated, the client does not report it", "none"},
}

// Rows is the comparison as rows of label, original, variant; the first is the head.
func (c Comparison) Rows(lang string) [][]string {
	l := labels[lang]
	row := func(label string, cell func(Column) string) []string {
		if c.Variant == nil {
			return []string{label, cell(c.Original), "—"}
		}
		return []string{label, cell(c.Original), cell(*c.Variant)}
	}
	about := func(n func(Column) int) func(Column) string {
		return func(col Column) string {
			if col.Estimated {
				return fmt.Sprintf("~%d", n(col))
			}
			return fmt.Sprint(n(col))
		}
	}
	rows := [][]string{{"", l.Original, l.Variant},
		row(l.Quality, func(col Column) string { return number(col.Quality) + "/" + number(col.QualityMax) }),
		{l.Efficiency, "", ""},
		row(l.Calls, about(func(c Column) int { return c.Calls })),
		row(l.Questions, about(func(c Column) int { return c.Questions })),
		row(l.Tokens, about(func(c Column) int { return c.Tokens })),
		row(l.Steps, func(col Column) string { return col.Steps }),
		{"──", "", ""},
	}
	for i, name := range c.Criteria {
		rows = append(rows, row(name, func(col Column) string {
			if col.Points[i] == nil {
				return "—"
			}
			return number(*col.Points[i]) + "/2"
		}))
	}
	return rows
}

// Notes are the lines below the table: the change, what is estimated, the outputs, and the question.
func (c Comparison) Notes(lang string) (lines []string) {
	l := labels[lang]
	change := c.Change
	if change == "" {
		change = l.None
	}
	lines = append(lines, l.Change+": "+change)
	if c.Original.Estimated || c.Variant != nil && c.Variant.Estimated {
		lines = append(lines, l.Estimated)
	}
	lines = append(lines, l.Original+": "+c.Original.File)
	if c.Variant == nil {
		return lines
	}
	lines = append(lines, l.Variant+": "+c.Variant.File)
	o, v := c.Original, *c.Variant
	gain := []any{signed(v.Quality - o.Quality), signed(float64(v.Calls - o.Calls)), signed(float64(v.Questions - o.Questions)), signed(float64(v.Tokens - o.Tokens))}
	if lang == "fr" {
		return append(lines, fmt.Sprintf("Qualité : %s pts. Efficience : %s calls, %s questions, %s tokens. Tu appliques ? ✅ Appliquer / ❌ Ignorer / 🔁 Relancer", gain...))
	}
	return append(lines, fmt.Sprintf("Quality: %s pts. Efficiency: %s calls, %s questions, %s tokens. Do you apply it? ✅ Apply / ❌ Ignore / 🔁 Relaunch", gain...))
}

func signed(v float64) string {
	if v > 0 {
		return "+" + number(v)
	}
	return strings.TrimPrefix(number(v), "-0")
}

// doneText says what a decision came to.
func doneText(s trial.State, v View) string {
	fr := s.Lang == "fr"
	switch {
	case v.Applied != nil && fr:
		return fmt.Sprintf("Appliqué : %s, version %s → %s, run %d ajouté à %s", v.Applied.File, v.Applied.From, v.Applied.To, v.Run, s.Skill.Log)
	case v.Applied != nil:
		return fmt.Sprintf("Applied: %s, version %s → %s, run %d added to %s", v.Applied.File, v.Applied.From, v.Applied.To, v.Run, s.Skill.Log)
	case s.Live() && fr:
		return fmt.Sprintf("Relancé depuis le SKILL.md original, run %d ajouté à %s", v.Run, s.Skill.Log)
	case s.Live():
		return fmt.Sprintf("Relaunched from the original SKILL.md, run %d added to %s", v.Run, s.Skill.Log)
	case fr:
		return fmt.Sprintf("Ignoré, rien n'a été modifié, run %d ajouté à %s", v.Run, s.Skill.Log)
	}
	return fmt.Sprintf("Ignored, nothing was changed, run %d added to %s", v.Run, s.Skill.Log)
}
