package skill

import "fmt"

// Reason says which rule a change breaks, for a program; Refusal.Error says it in words.
type Reason string

// The reasons.
const (
	Empty    Reason = "empty"    // there is nothing to look for
	Same     Reason = "same"     // old and new are the same
	Absent   Reason = "absent"   // old does not occur
	Repeated Reason = "repeated" // old occurs more than once
	Whole    Reason = "whole"    // old or new is the whole file, or most of it
	Named    Reason = "name"     // it would change the name in the frontmatter, or the frontmatter's limits
	Front    Reason = "front"    // a client might no longer read the frontmatter
	TooLarge Reason = "size"     // the file, or what would become of it, is above MaxSize
	Moved    Reason = "changed"  // a file is no longer what it was when the change was staged or applied
	NotText  Reason = "text"     // what is to be changed or written is no text
)

// Refusal is why a change was not made. Nothing has been written.
type Refusal struct {
	Reason  Reason
	Message string // a sentence a model can act on
}

func (r *Refusal) Error() string { return r.Message }

func refuse(reason Reason, format string, args ...any) error {
	return &Refusal{reason, fmt.Sprintf(format, args...)}
}
