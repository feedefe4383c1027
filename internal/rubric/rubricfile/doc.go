// Package rubricfile reads and writes rubrics as YAML, JSON and Markdown, and remembers which of them a
// person has trusted to run commands. It knows where in a file each part of a rubric stands, so that every
// finding names a line and a column; all findings come at once. It refuses what a person could not have
// meant: unknown and repeated keys, aliases, tags, several documents, more than a mebibyte.
//
// # YAML and JSON
//
// The keys are version, title, threshold, floor, max_rounds, evidence, target, holdout and criteria; of a
// criterion id, name, weight, floor and one of items, levels, points; of an item id, text, fix and at most
// one of match, lacks, heading, max_words, min_words, links, check. An item that is only a text may be
// written as that text. A number may have a percent sign, and a text needs no quotes to look like a number.
// schemas/rubric.schema.json says the same to an editor, but for the percent sign. A weight is written back as
// its author wrote it (rubric.Criterion.Stated), not as it was scaled.
//
// # Markdown
//
//	---
//	version: 1
//	threshold: 80
//	---
//
//	# Team handbook
//
//	## Set-up instructions (40%)
//
//	- floor: 70
//	- [ ] Names the supported operating systems
//	- [ ] Leaves nothing to be done
//	  - lacks: `TODO|FIXME`
//	- [ ] Gives an install command in a code block
//	  - id: install
//	  - check: `grep -q 'go install' "$TARGET"`
//
//	## Writing tone (20%)
//
//	- 0: ...
//	- 25: ...
//
// There is one rule: a list line is either an item, "- [ ] text", or "- key: value". Below a heading of the
// second level the keys are those of a criterion, and 0 to 100 or 0 to 2 for levels and points; below an
// item they are those of an item. The front matter has the keys of the rubric, and the heading of the first
// level is the title where the front matter has none. A weight stands in brackets at the end of the
// heading; a name that looks as if it had one is given as "- name: ...". A command or a pattern may stand
// in backticks, as a code span does, and a command of several lines in a code block below its key. Texts
// are taken as they are written, without Markdown's escapes. Paragraphs, comments, tables, quotations and
// deeper headings are notes for people and are not read.
package rubricfile
