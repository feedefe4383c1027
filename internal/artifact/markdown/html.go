package markdown

import "strings"

// htmlBlock is a block of raw HTML, by the seven kinds of CommonMark: it ends with the line that holds
// one of ends, or, without any, at a blank line.
type htmlBlock struct {
	open  bool
	ends  []string
	code  bool // script, style, pre, textarea: nothing in it is looked at
	line  int
	lines []string
}

// blockTags are the names that start a block of HTML wherever a line starts with one (kind 6).
const blockTags = " address article aside base basefont blockquote body caption center col colgroup dd" +
	" details dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6" +
	" head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option p param" +
	" search section summary table tbody td tfoot th thead title tr track ul "

func opensHTML(s string, inParagraph bool) (htmlBlock, bool) {
	if indent(s) >= 4 {
		return htmlBlock{}, false
	}
	s = strings.TrimLeft(s, " ")
	if len(s) < 2 || s[0] != '<' {
		return htmlBlock{}, false
	}
	h := htmlBlock{open: true}
	switch {
	case strings.HasPrefix(s, "<!--"):
		h.ends = []string{"-->"}
		return h, true
	case strings.HasPrefix(s, "<?"):
		h.ends = []string{"?>"}
		return h, true
	case strings.HasPrefix(s, "<![CDATA["):
		h.ends = []string{"]]>"}
		return h, true
	case s[1] == '!' && len(s) > 2 && isLetter(s[2]):
		h.ends = []string{">"}
		return h, true
	}
	closing := strings.HasPrefix(s, "</")
	name := tagName(strings.TrimPrefix(s[1:], "/"))
	after := strings.TrimPrefix(s[1:], "/")[len(name):]
	name = strings.ToLower(name)
	if name == "" {
		return htmlBlock{}, false
	}
	edge := after == "" || after[0] == ' ' || after[0] == '>'
	switch {
	case !closing && edge && (name == "script" || name == "pre" || name == "style" || name == "textarea"):
		h.ends, h.code = []string{"</script>", "</pre>", "</style>", "</textarea>"}, true
		return h, true
	case (edge || strings.HasPrefix(after, "/>")) && strings.Contains(blockTags, " "+name+" "):
		return h, true
	}
	_, n := parseTag(s)
	return h, !inParagraph && n > 0 && blank(s[n:])
}

func (b *blocks) addHTML(rest string) {
	h := &b.html
	if len(h.ends) == 0 && blank(rest) {
		b.endHTML()
		return
	}
	h.lines = append(h.lines, rest)
	low := strings.ToLower(rest)
	for _, end := range h.ends {
		if strings.Contains(low, end) {
			b.endHTML()
			return
		}
	}
}

func (b *blocks) endHTML() {
	if b.html.open && !b.html.code {
		b.segments = append(b.segments, newSegment(htmlKind, b.html.line, b.html.lines))
	}
	b.html = htmlBlock{}
}

// scanHTML collects the targets and anchors of the tags in a block of HTML.
func scanHTML(seg segment, d *Document) {
	text := seg.text
	for i := 0; i < len(text); {
		if text[i] != '<' {
			i++
			continue
		}
		if n := comment(text[i:]); n != 0 {
			if n < 0 {
				return
			}
			i += n
			continue
		}
		t, n := parseTag(text[i:])
		if n == 0 {
			i++
			continue
		}
		t.record(d, seg.at(i))
		i += n
	}
}

// comment is the length of an HTML comment at the start of s: 0 when there is none, -1 when it does
// not end.
func comment(s string) int {
	if !strings.HasPrefix(s, "<!--") {
		return 0
	}
	if strings.HasPrefix(s, "<!-->") || strings.HasPrefix(s, "<!--->") {
		return strings.IndexByte(s, '>') + 1
	}
	end := strings.Index(s[4:], "-->")
	if end < 0 {
		return -1
	}
	return 4 + end + 3
}

// tag is an opening tag with the attributes that matter here.
type tag struct {
	name    string
	anchors []string
	to      string
}

// record adds what a tag links to and the anchors it sets.
func (t tag) record(d *Document, line int) {
	for _, a := range t.anchors {
		d.anchors[a] = true
	}
	if t.to != "" {
		d.Links = append(d.Links, Link{To: unescapeEntities(t.to), Line: line})
	}
}

func tagName(s string) string {
	if s == "" || !isLetter(s[0]) {
		return ""
	}
	n := 1
	for n < len(s) && (isLetter(s[n]) || '0' <= s[n] && s[n] <= '9' || s[n] == '-') {
		n++
	}
	return s[:n]
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

const space = " \n"

// parseTag reads one opening or closing tag at the start of s and returns its length, 0 when there is
// none.
func parseTag(s string) (tag, int) {
	if len(s) < 3 || s[0] != '<' {
		return tag{}, 0
	}
	closing := s[1] == '/'
	i := 1
	if closing {
		i = 2
	}
	name := tagName(s[i:])
	if name == "" {
		return tag{}, 0
	}
	i += len(name)
	t := tag{name: strings.ToLower(name)}
	for {
		gap := skip(s[i:], space)
		i += gap
		switch {
		case i == len(s):
			return tag{}, 0
		case s[i] == '>':
			return t, i + 1
		case closing:
			return tag{}, 0
		case strings.HasPrefix(s[i:], "/>"):
			return t, i + 2
		case gap == 0:
			return tag{}, 0
		}
		key, value, n := attribute(s[i:])
		if n == 0 {
			return tag{}, 0
		}
		i += n
		t.set(strings.ToLower(key), value)
	}
}

func (t *tag) set(key, value string) {
	switch {
	case key == "id" || key == "name" && t.name == "a":
		t.anchors = append(t.anchors, value)
	case key == "href" && t.name == "a", key == "src" && t.name == "img":
		t.to = value
	}
}

// attribute reads a name, and a value where there is one, quoted or not.
func attribute(s string) (key, value string, n int) {
	for n < len(s) && (isLetter(s[n]) || strings.IndexByte("_:", s[n]) >= 0 ||
		n > 0 && ('0' <= s[n] && s[n] <= '9' || s[n] == '.' || s[n] == '-')) {
		n++
	}
	key = s[:n]
	if n == 0 {
		return "", "", 0
	}
	at := n + skip(s[n:], space)
	if at >= len(s) || s[at] != '=' {
		return key, "", n
	}
	at++
	at += skip(s[at:], space)
	if at == len(s) {
		return "", "", 0
	}
	if q := s[at]; q == '"' || q == '\'' {
		end := strings.IndexByte(s[at+1:], q)
		if end < 0 {
			return "", "", 0
		}
		return key, s[at+1 : at+1+end], at + end + 2
	}
	end := strings.IndexAny(s[at:], " \n\"'=<>`")
	if end <= 0 {
		return "", "", 0
	}
	return key, s[at : at+end], at + end
}

// skip is the number of leading bytes of s that are in set.
func skip(s, set string) int { return len(s) - len(strings.TrimLeft(s, set)) }
