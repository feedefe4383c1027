// Package e2e drives the real clients (Claude Code, Codex, Gemini CLI), offline and in profiles of their
// own, against a model that is a Go function. It holds two kinds of test: contract tests, which keep the
// facts about the clients that our hooks and skills rely on, with a probe plugin that records what its
// hooks get; and scenarios, which run our own plugin as a user does. It never skips: what a machine lacks
// (npm, git) fails the test with what to install.
//
// # A scenario
//
//	func TestClaudeSoundsTwice(t *testing.T) {
//		t.Parallel()
//		model := scripted.New(t, func(turn scripted.Turn) scripted.Reply {
//			reason, blocked := turn.Feedback() // a Stop hook sent the model on
//			switch {
//			case turn.Agent != "": // a sub-agent; they run side by side
//				return scripted.Say(`{"verdict": "yes"}`)
//			case turn.Step == 0: // this conversation's first turn
//				return scripted.Do(scripted.Shell("hoyeon-cli rulph next"))
//			case turn.Step == 1:
//				return scripted.Do(scripted.Spawn(scripted.Agent{Type: "rulph:judge", Prompt: "Judge."}, scripted.Agent{Type: "rulph:judge", Prompt: "Judge."}))
//			case blocked:
//				return scripted.Say("I was told to " + reason)
//			}
//			return scripted.Sayf("the judges said %q", turn.AgentResults())
//		})
//		c := clients.Claude(t, clients.ClaudeOptions{Model: model.URL, Plugins: []string{dir}})
//		res := c.Prompt(t, "/rulph NOTES.md")
//		if res.Text != "I was told to judge again" { t.Error(res.Text) }
//	}
//
// For Codex the last lines are clients.Codex(t, clients.CodexOptions{Model: model.URL, Plugin: dir,
// TrustHooks: true}) and c.Prompt(t, "$rulph:rulph NOTES.md"); the script is the same. TestOneScriptDrivesBothClients
// is a whole one.
//
// # Rules of a script
//
//   - It is called for every conversation, from several goroutines: decide from the turn, not from variables.
//     Turn.Step counts the replies given in this conversation; each sub-agent starts at 0.
//   - A request without a reply fails the test. So does a panic. Use t.Errorf, never t.Fatal.
//   - scripted.Meet proves that sub-agents run side by side; a delay proves nothing on a busy machine.
//   - What the client asks on its own account (titles) goes to Server.OnSide and never to the script.
//   - Turn.Output, Message.Exit, Turn.Results, Turn.SkillText and Turn.AgentResults read the same for all clients.
//
// # All three clients
//
// clients.NewTrio(t, clients.TrioOptions{Model: model.URL}) is somebody who has all three: one home with the
// configuration of each, and a PATH on which hoyeon-cli finds them, but for those in Without. Trio.Run starts a
// program there; Trio.Claude and Trio.Codex are sessions in that home. Trio.Starts counts how often a client was
// started, and Trio.Left lists what still runs in their process groups. One script answers them all, since
// Turn.Client says who asks; asked tells a client that was called for one answer from a person's session.
//
//	go test ./e2e -run XXX -bench Panel    what a panel takes beside its slowest judge
//
// # The person at the terminal
//
// tty.Start(t, tty.Options{Argv: c.Interactive(), Env: c.Env(), Dir: c.Dir}) runs the interactive client under
// tmux. Wait for what the screen shows before each key; Select chooses a line of a menu, and a free answer to a
// question is MoveTo("Type something"), Type, Enter. The profile skips the dialogs of a first start: onboarding,
// theme, key and folder trust. Codex asks to trust its hooks ("Trust all and continue").
//
// # Codex's sandbox
//
// It is a bubblewrap that Codex brings along, so the machine must allow mount and user namespaces (a plain
// virtual machine does, as root or not; a container may have to be told). codex exec gives a model's shell the
// workspace-write sandbox in a trusted project, which the profile's working folder is, and a read-only one
// elsewhere (CodexOptions.Untrusted). The profile lies in the cache folder, because the temporary folder is open
// in the sandbox.
//
// # Packages
//
// internal/scripted is the model, internal/clients installs and runs the clients, internal/tty is the terminal,
// internal/probe is the recording plugin. The clients come from npm into the user's cache folder (hoyeon-e2e),
// once a version. testdata/payloads holds what the hooks of both clients get, for the unit tests of our hook;
// go test ./e2e -run Payloads -update records it anew, which belongs to every change of a version in
// internal/clients/install.go.
package e2e
