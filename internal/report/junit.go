package report

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"

	"rulph/internal/ui"
)

// The shape of a JUnit file as Jenkins, GitLab and the actions that show test results read it. The
// names of attributes and the order of elements are those of the Ant task that first wrote it.
type (
	junitSuites struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		junitSums
		Suites []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name string `xml:"name,attr"`
		junitSums
		Properties *junitProperties `xml:"properties"` // nil rather than empty, which some readers refuse
		Cases      []junitCase      `xml:"testcase"`
	}
	junitSums struct {
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Skipped  int    `xml:"skipped,attr"`
		Time     string `xml:"time,attr"` // seconds
	}
	junitProperties struct {
		List []junitProperty `xml:"property"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Name      string        `xml:"name,attr"`
		Classname string        `xml:"classname,attr"`
		File      string        `xml:"file,attr,omitempty"`
		Time      string        `xml:"time,attr"`
		Failure   *junitOutcome `xml:"failure"`
		Error     *junitOutcome `xml:"error"`
		Skipped   *junitOutcome `xml:"skipped"`
		Out       string        `xml:"system-out,omitempty"`
	}
	junitOutcome struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// gatesSuite is the name of the suite that holds the threshold and the floors.
const gatesSuite = "gates"

// JUnit is the evaluation as JUnit XML: a suite "gates" with a case for the threshold and one for each
// floor, then a suite for each criterion with a case for each item, or one case where the criterion is a
// scale. An item that is no or unverified has failed; one that was left out of the score is skipped. So a
// file may hold failed items although every gate was reached.
func (e Evaluation) JUnit() ([]byte, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	doc := junitSuites{Name: "rulph: " + ui.OneLine(e.title())}
	doc.Suites = append(doc.Suites, e.junitGates())
	for _, c := range e.Criteria {
		doc.Suites = append(doc.Suites, e.junitCriterion(c))
	}
	taken := map[[2]string]bool{}
	for i := range doc.Suites {
		s := &doc.Suites[i]
		s.tellApart(taken)
		s.count()
		doc.Tests += s.Tests
		doc.Failures += s.Failures
		doc.Errors += s.Errors
		doc.Skipped += s.Skipped
	}
	doc.Time = junitTime(e.Seconds)
	body, err := xml.MarshalIndent(doc, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("report junit: %w", err)
	}
	return append(append([]byte(xml.Header), body...), '\n'), nil
}

// junitGates is the suite that decides. The time of the whole is the time of its first case, since no
// judge answers one item at a time.
func (e Evaluation) junitGates() junitSuite {
	s := junitSuite{Name: gatesSuite, junitSums: junitSums{Time: junitTime(e.Seconds)}}
	for i, g := range e.gates() {
		c := e.junitCase(gatesSuite, g.Name)
		if i == 0 {
			c.Time = s.Time
			c.Out = junitText(strings.Join(append([]string{e.measured()}, e.notes()...), "\n"))
		}
		switch {
		case g.Reason == "":
		case g.Unscored:
			c.Error = &junitOutcome{Message: g.Reason, Type: "unscored"}
		default:
			c.Failure = &junitOutcome{Message: g.Reason, Type: "below"}
		}
		s.Cases = append(s.Cases, c)
	}
	return s
}

func (e Evaluation) junitCriterion(c EvalCriterion) junitSuite {
	s := junitSuite{Name: ui.OneLine(c.Name), junitSums: junitSums{Time: junitTime(0)}}
	s.property("weight", short(c.Weight))
	s.property("floor", short(c.Floor))
	if c.Score != nil {
		s.property("score", c.score())
	}
	for _, g := range c.Suggestions {
		s.property("suggestion", strings.TrimPrefix(ui.OneLine(g.Judge)+": "+ui.OneLine(g.Text), ": "))
	}
	if len(c.Items) == 0 {
		one := e.junitCase(c.ID, "score")
		switch {
		case c.Score == nil:
			one.Skipped = &junitOutcome{Message: "nothing was answered"}
		case c.Below:
			one.Failure = &junitOutcome{Message: c.score() + " is below the floor of " + short(c.Floor), Type: "below"}
		default:
			one.Out = c.score() + " of 100"
		}
		s.Cases = []junitCase{one}
	}
	for _, item := range c.Items {
		one := e.junitCase(c.ID, item.Text)
		outcome := &junitOutcome{Message: item.reason(), Type: ui.OneLine(item.Outcome), Text: item.details()}
		switch {
		case item.Outcome == "yes":
			one.Out = item.details()
		case item.failed():
			one.Failure = outcome
		default:
			one.Skipped = &junitOutcome{Message: outcome.Message}
			one.Out = item.details()
		}
		s.Cases = append(s.Cases, one)
	}
	return s
}

// details is all there is to say of an item, a line each.
func (i EvalItem) details() string {
	var lines []string
	for _, part := range []struct{ name, text string }{{"why", i.Why}, {"answers", i.said()}, {"evidence", i.Evidence}} {
		if text := strings.TrimSpace(part.text); text != "" {
			lines = append(lines, part.name+": "+text)
		}
	}
	return junitText(strings.Join(lines, "\n"))
}

// junitCase is named after what is scored, so that the cases of two artifacts in one pipeline stay apart.
func (e Evaluation) junitCase(criterion, name string) junitCase {
	scored := e.file() // the target may be a name below a folder, and two folders may have a README.md
	for _, other := range []string{e.Target, e.title()} {
		if scored == "" {
			scored = other
		}
	}
	if name = ui.OneLine(name); name == "" {
		name = "without a text"
	}
	return junitCase{Name: name, Classname: Slug(scored) + "." + ui.OneLine(criterion), File: ui.OneLine(e.file()), Time: junitTime(0)}
}

// file is the one file that was scored, empty where there are several.
func (e Evaluation) file() string {
	if len(e.Files) == 1 {
		return e.Files[0]
	}
	return ""
}

func (s *junitSuite) property(name, value string) {
	if s.Properties == nil {
		s.Properties = &junitProperties{}
	}
	s.Properties.List = append(s.Properties.List, junitProperty{name, value})
}

// tellApart numbers cases that would have the same name, by which readers know them.
func (s *junitSuite) tellApart(taken map[[2]string]bool) {
	for i := range s.Cases {
		c := &s.Cases[i]
		name := c.Name
		for n := 2; taken[[2]string{c.Classname, c.Name}]; n++ {
			c.Name = fmt.Sprintf("%s (%d)", name, n)
		}
		taken[[2]string{c.Classname, c.Name}] = true
	}
}

func (s *junitSuite) count() {
	s.Tests = len(s.Cases)
	for _, c := range s.Cases {
		switch {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
}

// junitText is text of several lines. XML 1.0 has no form for most control characters, not even an escaped
// one; the encoder would replace them, and then nobody sees what was there.
func junitText(s string) string { return strings.Trim(ui.Printable(s), "\n") }

func junitTime(seconds float64) string { return strconv.FormatFloat(seconds, 'f', 3, 64) }
