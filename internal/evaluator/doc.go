// Package evaluator runs the programs that score or improve an artifact: the commands of a rubric (Run),
// and judges and improvers (Find, Program.Judge, Program.Improve), which are the clients of a model or
// any other program. It knows how to start each so that it cannot hang the loop (a time limit, bounded
// output, and an end for everything it has started), and how to keep a person's own settings, memory,
// hooks, plugins and servers out of what a client does. It refuses to read meaning into an answer: what
// a verdict is, its caller says (Request.Accept); Answer reads the exit status of a check alone.
//
// # How a client is run
//
// The task goes to its standard input, never into an argument, and no shell is between. It is the leader of
// a process group, which is ended as Run ends one. It gets our environment without the variables of any
// client's session and without the keys of other families, its own login, and a temporary folder that is
// removed afterwards. A judge works in an empty folder below the person's cache folder.
//
//   - claude: --safe-mode, no setting sources, no servers but those named, which are none; of the person's
//     settings.json the login and the way to the server come back by --settings (claudelogin.go). The
//     settings that an administrator manages stay in force.
//   - codex: a CODEX_HOME of ours with a link to the login, and of config.toml the provider, with the keys
//     that .env holds for it (codexconfig.go). Where the login is in the system's keyring the home is the person's own, with
//     --ignore-user-config; its AGENTS.md and its skills' folder are then still read.
//   - gemini: a GEMINI_CLI_HOME of ours with links to the login files, and of settings.json how to log in
//     (geminihome.go). System settings stay in force.
//
// The model is the client's default unless the Spec names one, or the person's own where their server is not
// the maker's. gemini asks a small model first which one to take, unless a model is named.
//
// # What is guaranteed of a judge
//
// claude and gemini offer the model no tool at all. codex offers no shell to models that it does not know; its
// own models keep an interpreter in a read-only sandbox without network, and a question to the person that
// nobody answers. A `command:` judge is a program like any other: it can do what its user can.
//
// # What is guaranteed of an improver
//
//   - claude and gemini have tools that read and edit files, in Request.Dir alone, and no shell. That is
//     their own promise, kept by their permissions and not by the system.
//   - codex has a shell in its sandbox: it can read what its user can, write Request.Dir and its
//     temporary folder, and has no network.
//   - A GEMINI.md in Request.Dir is read by gemini as instructions; a .gemini folder there is refused, since
//     it would configure the client. AGENTS.md and CLAUDE.md there are files like others.
//   - `command:` can do what its user can.
//
// Whoever calls Improve gives it a copy, takes the one file it wants from it, and lists the rest.
package evaluator
