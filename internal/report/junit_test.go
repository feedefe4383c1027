package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// suite is JUnit as a reader of CI takes it: what it does not know, it passes over.
type suite struct {
	Name     string  `xml:"name,attr"`
	Tests    int     `xml:"tests,attr"`
	Failures int     `xml:"failures,attr"`
	Errors   int     `xml:"errors,attr"`
	Skipped  int     `xml:"skipped,attr"`
	Time     float64 `xml:"time,attr"`
	Cases    []struct {
		Name      string    `xml:"name,attr"`
		Classname string    `xml:"classname,attr"`
		Time      float64   `xml:"time,attr"`
		Failure   *struct{} `xml:"failure"`
		Error     *struct{} `xml:"error"`
		Skipped   *struct{} `xml:"skipped"`
	} `xml:"testcase"`
}

// junitFault reads a file as strictly as it can be read and returns what is wrong with it.
func junitFault(file []byte) error {
	var doc struct {
		XMLName xml.Name `xml:"testsuites"`
		suite
		Suites []suite `xml:"testsuite"`
	}
	if err := xml.Unmarshal(file, &doc); err != nil {
		return err
	}
	if err := xmlFault(file); err != nil {
		return err
	}
	var all suite
	names := map[string]bool{}
	for _, s := range doc.Suites {
		var sums suite
		for _, c := range s.Cases {
			if c.Name == "" || c.Classname == "" {
				return fmt.Errorf("a case of %q without a name", s.Name)
			}
			if names[c.Classname+"\x00"+c.Name] {
				return fmt.Errorf("two cases are %s %s", c.Classname, c.Name)
			}
			names[c.Classname+"\x00"+c.Name] = true
			sums.Tests++
			sums.Time += c.Time
			outcomes := 0
			for n, set := range map[*int]bool{&sums.Failures: c.Failure != nil, &sums.Errors: c.Error != nil, &sums.Skipped: c.Skipped != nil} {
				if set {
					*n++
					outcomes++
				}
			}
			if outcomes > 1 {
				return fmt.Errorf("%s has %d outcomes", c.Name, outcomes)
			}
		}
		if err := sameSums(s, sums); err != nil {
			return err
		}
		all.Tests, all.Failures, all.Errors, all.Skipped, all.Time = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors, all.Skipped+s.Skipped, all.Time+s.Time
	}
	return sameSums(doc.suite, all)
}

func sameSums(said, counted suite) error {
	counted.Name, counted.Cases = said.Name, said.Cases
	if a, b := fmt.Sprint(said.Tests, said.Failures, said.Errors, said.Skipped, said.Time), fmt.Sprint(counted.Tests, counted.Failures, counted.Errors, counted.Skipped, counted.Time); a != b {
		return fmt.Errorf("%q says %s, its cases are %s", said.Name, a, b)
	}
	return nil
}

// xmlFault finds elements that are not of JUnit, and characters that XML 1.0 has no form for.
func xmlFault(file []byte) error {
	known := strings.Fields("testsuites testsuite properties property testcase failure error skipped system-out")
	d := xml.NewDecoder(bytes.NewReader(file))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		text := ""
		switch token := token.(type) {
		case xml.StartElement:
			if !slices.Contains(known, token.Name.Local) {
				return fmt.Errorf("<%s> is not of JUnit", token.Name.Local)
			}
			for _, a := range token.Attr {
				text += a.Value
			}
		case xml.CharData:
			text = string(token)
		case xml.Comment, xml.Directive:
			return fmt.Errorf("a comment or a directive: %v", token)
		}
		for _, r := range text {
			if r < ' ' && !strings.ContainsRune("\t\n\r", r) || r == 0xfffe || r == 0xffff {
				return fmt.Errorf("%U in %q", r, text)
			}
		}
	}
}

func TestJUnitIsWhatReadersExpect(t *testing.T) {
	twins := passedCI()
	twins.Criteria[0].Items[1].Text = twins.Criteria[0].Items[0].Text
	files := map[string]Evaluation{"handbook": handbookCI(), "passed": passedCI(), "void": voidCI(), "nothing": {}, "twins": twins}
	for _, text := range smuggled {
		files[text] = hostileCI(text)
	}
	for name, e := range files {
		file, err := e.JUnit()
		if err != nil {
			t.Fatal(err)
		}
		if err := junitFault(file); err != nil {
			t.Errorf("%q: %v\n%s", name, err, file)
		}
	}
}

func TestJUnitShowsWhatXMLHasNoFormFor(t *testing.T) {
	e := handbookCI()
	e.Criteria[0].Items[1].Why = "exit\x01ed\x1b[31m \ufffe"
	e.Criteria[0].Items[1].Evidence = "one\ntwo\x02"
	file, err := e.JUnit()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`message="no; exit␁ed␛[31m &lt;U+FFFE&gt;"`, "evidence: one&#xA;two␂</failure>"} {
		if !strings.Contains(string(file), want) {
			t.Errorf("no %s in\n%s", want, file)
		}
	}
}

// The reader above is worth what it finds.
func TestJunitFaultFindsWhatIsWrong(t *testing.T) {
	good, err := handbookCI().JUnit()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`tests="13"`, `tests="12"`, "says 12"},
		{`time="240.400"`, `time="1"`, "says 13 4 1 4 1,"},
		{`<skipped message="nothing was answered">`, `<failure/><skipped message="nothing was answered">`, "has 2 outcomes"},
		{`name="Its links resolve"`, `name="Says who is on call"`, "two cases"},
		{`name="Its links resolve"`, `name=""`, "without a name"},
		{`<system-out>`, `<system-out><b/>`, "not of JUnit"},
		{`<system-out>`, `<system-out><!-- x -->`, "a comment"},
		{`Linux and`, "Linux\x01and", "illegal character code"},
		{`Linux and`, "Linux &#xFFFE;", "illegal character code"},
		{`</testsuites>`, ``, "unexpected EOF"},
	} {
		bad := strings.Replace(string(good), c.old, c.new, 1)
		if err := junitFault([]byte(bad)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s for %s: %v, want %q", c.new, c.old, err, c.want)
		}
	}
}
