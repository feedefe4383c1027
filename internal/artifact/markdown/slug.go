package markdown

import (
	"strconv"
	"strings"
	"unicode"
)

// slugger gives headings the anchors that GitHub gives them: lower case, without anything but letters,
// marks, decimal digits, connectors, hyphens and spaces, spaces as hyphens, and -1, -2, ... for a
// text that came before (the rule of html-pipeline's table of contents, and of github-slugger).
type slugger map[string]int

func (s slugger) next(text string) string {
	base := Slug(text)
	slug := base
	for {
		if _, taken := s[slug]; !taken {
			break
		}
		s[base]++
		slug = base + "-" + strconv.Itoa(s[base])
	}
	s[slug] = 0
	return slug
}

// Slug is the anchor of the first heading with this plain text.
func Slug(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Pc):
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}
