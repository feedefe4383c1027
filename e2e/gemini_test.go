//go:build unix

package e2e

import (
	"strings"
	"testing"

	"rulph/e2e/internal/clients"
	"rulph/e2e/internal/scripted"
)

func TestGeminiAnswersAPromptFromItsStandardInput(t *testing.T) {
	t.Parallel()
	model := scripted.New(t, scripted.Steps(scripted.Say(`{"checklist": {}}`)))
	c := clients.Gemini(t, clients.GeminiOptions{Model: model.URL})
	res := c.Prompt(t, "Judge this.", "the artifact\n")
	say(t, res, `{"checklist": {}}`)

	main := model.Main()
	if len(main) != 1 {
		t.Fatalf("%d requests, want 1", len(main))
	}
	if prompt := main[0].LastUser(); !strings.Contains(prompt, "the artifact") || !strings.Contains(prompt, "Judge this.") {
		t.Errorf("the prompt is %q", prompt)
	}
}
