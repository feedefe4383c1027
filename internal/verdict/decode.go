package verdict

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// maxDepth is how deep objects and lists may be nested, the outermost object counted as one.
const maxDepth = 64

// kind is the JSON type of a value.
type kind byte

const (
	null kind = iota
	boolean
	number
	text
	list
	object
)

func (k kind) String() string {
	return [...]string{"null", "true or false", "a number", "a string", "a list", "an object"}[k]
}

// value is one JSON value. The elements of a list are read for their faults and not kept: no part of a
// verdict is a list.
type value struct {
	kind   kind
	truth  bool
	num    float64
	str    string
	fields []field
}

// field is one member of an object, in the order of the text; no name occurs twice.
type field struct {
	name  string
	value value
}

// field returns a member and whether there is one; a value is null when there is none.
func (v value) field(name string) (value, bool) {
	for _, f := range v.fields {
		if f.name == name {
			return f.value, true
		}
	}
	return value{}, false
}

// refusal makes the reason why an object is no verdict. It is only called for the object that is
// reported: a text may hold very many.
type refusal func() string

func because(format string, args ...any) refusal {
	return func() string { return fmt.Sprintf(format, args...) }
}

// decode reads a span that the scan found. It refuses what encoding/json lets through: a name that
// occurs twice in an object, numbers beyond the range of a float64, and deep nesting.
func decode(b []byte) (value, refusal) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	return decodeValue(d, "", 0)
}

func decodeValue(d *json.Decoder, name string, depth int) (value, refusal) {
	tok, err := d.Token()
	if err != nil { // the scan has read this span, so this cannot happen unless the two disagree
		return value{}, because("the JSON object cannot be read: %v", err)
	}
	switch t := tok.(type) {
	case bool:
		return value{kind: boolean, truth: t}, nil
	case string:
		return value{kind: text, str: t}, nil
	case json.Number:
		f, err := t.Float64()
		if err != nil {
			return value{}, func() string { return fmt.Sprintf("the number %s is out of range", echo(t.String())) }
		}
		return value{kind: number, num: f}, nil
	case json.Delim:
		if depth == maxDepth {
			return value{}, because("the JSON object is nested more than %d levels deep", maxDepth)
		}
		if t == '[' {
			return decodeList(d, name, depth+1)
		}
		return decodeObject(d, name, depth+1)
	}
	return value{kind: null}, nil
}

func decodeList(d *json.Decoder, name string, depth int) (value, refusal) {
	for d.More() {
		if _, no := decodeValue(d, name, depth); no != nil {
			return value{}, no
		}
	}
	_, _ = d.Token() // the bracket
	return value{kind: list}, nil
}

func decodeObject(d *json.Decoder, name string, depth int) (value, refusal) {
	v := value{kind: object}
	seen := map[string]bool{}
	for d.More() {
		tok, err := d.Token()
		if err != nil {
			return value{}, because("the JSON object cannot be read: %v", err)
		}
		key, _ := tok.(string)
		if seen[key] {
			return value{}, func() string {
				where := "the object"
				if name != "" {
					where = echo(name)
				}
				return fmt.Sprintf("%s occurs twice in %s; write every name once", echo(key), where)
			}
		}
		seen[key] = true
		member, no := decodeValue(d, key, depth)
		if no != nil {
			return value{}, no
		}
		v.fields = append(v.fields, field{key, member})
	}
	_, _ = d.Token() // the brace
	return v, nil
}
