// Package evaluator runs the programs that score or improve an artifact: the commands of a rubric (Run),
// and judges and improvers (Find, Program.Judge, Program.Improve), which are the clients of a model or
// any other program. It knows how to start each so that it cannot hang the loop (a time limit, bounded
// output, and an end for everything it has started), and how to keep a person's own settings, memory,
// hooks, plugins and servers out of what a client does. It refuses to read meaning into an answer: what
// a verdict is, its caller says (Request.Accept); Answer reads the exit status of a check alone.
package evaluator
