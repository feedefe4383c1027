//go:build unix

package evaluator

import (
	"slices"
	"testing"
)

func TestVariablesOfADotenv(t *testing.T) {
	for text, want := range map[string][]string{
		"A=1\nB = two \n":                        {"A=1", "B=two"},
		"\ufeffexport A=1\r\nexport\tB=2\r\n":    {"A=1", "B=2"},
		"exported=1":                             {"exported=1"},
		"# A=0\nA=1 # why\nB=#2\nC=a#b\nD=":      {"A=1", "B=", "C=a#b", "D="},
		`A="x # \"y\"\n$B" ` + "#":               {"A=x # \"y\"\nof-environ"},
		`A='$B \n "x"'`:                          {`A=$B \n "x"`},
		`A=\$B\ c`:                               {"A=$B c"},
		"C=1\nA=${C}-$B-${NONE}.":                {"C=1", "A=1-of-environ-."},
		"A=p'q'\"r\"":                            {"A=pqr"},
		"no line\n1A=x\nA-B=x\n=x\nA=x y\nB=\"x": nil,
		"A='x\nB=2":                              {"B=2"},
		"A=x\\":                                  nil,
	} {
		if got := readDotenv(text, []string{"B=of-environ"}); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestCodexGetsOfItsDotenvTheKeysThatReachTheModel(t *testing.T) {
	files := map[string]string{
		".codex/config.toml": "model_provider = \"mine\"\n[model_providers.mine]\nenv_key = \"MY_KEY\"\nenv_http_headers = { \"X-Team\" = \"MY_TEAM\", \"X\" = \"CODEX_X\" }\n",
		".codex/.env":        "MY_KEY=of-the-file\nexport MY_TEAM='a team'\nOPENAI_BASE_URL=https://mine\nANTHROPIC_API_KEY=other\nPATH=/evil\nCODEX_X=refused\nAWS_SECRET=other\n",
	}
	p := client(t, "codex", codexAnswer, files, "MY_KEY=of-the-environment")
	reply := judge(t, p, Request{Prompt: "task"})
	c := record(t, p)
	for name, want := range map[string]string{
		"MY_KEY": "of-the-file", "MY_TEAM": "a team", "OPENAI_BASE_URL": "https://mine",
		"ANTHROPIC_API_KEY": "", "AWS_SECRET": "", "CODEX_X": "", "PATH": value(p.Env, "PATH"),
	} {
		if got := c.value(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if _, linked := c.Private[".env"]; linked || reply.Fault != "" {
		t.Errorf("fault %q; the .env reaches it: %v", reply.Fault, linked)
	}
}
