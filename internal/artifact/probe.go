package artifact

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Probe is a question that the text itself answers, the same for every judge: no model, no shell.
// Exactly one field is set.
type Probe struct {
	Match    string `json:"match,omitempty"`     // RE2 in multi-line mode, found in at least one file
	Lacks    string `json:"lacks,omitempty"`     // RE2 in multi-line mode, found in no file
	Heading  string `json:"heading,omitempty"`   // a Markdown heading with this text, case and white space folded
	MaxWords *int   `json:"max_words,omitempty"` // words of all files together, split at white space
	MinWords *int   `json:"min_words,omitempty"`
	Links    bool   `json:"links,omitempty"` // every relative link of the Markdown files leads somewhere inside the root
}

// kinds names the fields that are set, by their keys in a rubric.
func (p Probe) kinds() []string {
	var set []string
	for _, k := range []struct {
		name string
		set  bool
	}{
		{"match", p.Match != ""},
		{"lacks", p.Lacks != ""},
		{"heading", p.Heading != ""},
		{"max_words", p.MaxWords != nil},
		{"min_words", p.MinWords != nil},
		{"links", p.Links},
	} {
		if k.set {
			set = append(set, k.name)
		}
	}
	return set
}

// Validate refuses a probe that asks nothing, more than one thing, or something that every text
// answers alike. Its errors are sentences that start with the key at fault.
func (p Probe) Validate() error {
	switch set := p.kinds(); {
	case len(set) == 0:
		return errors.New("one of match, lacks, heading, max_words, min_words or links must be set")
	case len(set) > 1:
		return fmt.Errorf("%s are set together; one item asks one thing", strings.Join(set, " and "))
	}
	switch {
	case p.Match != "":
		_, err := compile("match", p.Match)
		return err
	case p.Lacks != "":
		_, err := compile("lacks", p.Lacks)
		return err
	case p.Heading != "" && strings.TrimSpace(p.Heading) == "":
		return errors.New("heading is blank")
	case strings.HasPrefix(p.Heading, "# ") || strings.HasPrefix(p.Heading, "##"):
		return fmt.Errorf("heading %q: give the text of the heading without #", p.Heading)
	case p.MaxWords != nil && *p.MaxWords < 0:
		return fmt.Errorf("max_words is %d; it must be 0 or more", *p.MaxWords)
	case p.MinWords != nil && *p.MinWords < 1:
		return fmt.Errorf("min_words is %d; it must be 1 or more", *p.MinWords)
	}
	return nil
}

// compile reads a pattern with ^ and $ at line ends. A pattern that is found both in the empty text
// and in a text of one private-use letter is found in every text, so its answer would say nothing.
func compile(key, pattern string) (*regexp.Regexp, error) {
	re, err := regexp.Compile("(?m)" + pattern)
	if err != nil {
		return nil, fmt.Errorf("%s %q is no RE2 pattern: %s", key, pattern, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	if re.MatchString("") && re.MatchString("\ue000") {
		return nil, fmt.Errorf("%s %q is found in every text", key, pattern)
	}
	return re, nil
}
