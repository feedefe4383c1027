// Package rubric is the rubric itself: criteria with weights and floors, each answered by a checklist,
// by five levels or by three points. It knows the rules a rubric must keep, what makes one hard to judge,
// what a judge is asked, and how the contract with the person reads. It takes and returns values: it
// reads no file, knows no file format (see rubricfile) and computes no score.
package rubric
