package report

// Agent is one program that judged or improved, with what all its calls of the loop came to.
type Agent struct {
	Name     string  `json:"name"`
	Role     string  `json:"role"`              // judge calibration improver
	Program  string  `json:"program,omitempty"` // as it is asked for on the command line: codex:effort=high
	Model    string  `json:"model,omitempty"`   // as the client reports it
	Calls    int     `json:"calls,omitempty"`
	Tokens   int64   `json:"tokens,omitempty"`
	USD      float64 `json:"usd,omitempty"`      // of the tokens whose price is known
	Unpriced int64   `json:"unpriced,omitempty"` // those of Tokens whose price nobody told
	Silent   int     `json:"silent,omitempty"`   // those of Calls that told no usage
}

// Limits is the budget of a loop. 0 is no limit.
type Limits struct {
	Seconds float64 `json:"seconds,omitempty"`
	Used    float64 `json:"used,omitempty"` // of Seconds
	Tokens  int64   `json:"tokens,omitempty"`
	USD     float64 `json:"usd,omitempty"`
}

// Calibration is the noise of the judges: what they answer when the same artifact is judged again.
type Calibration struct {
	Repeats  int          `json:"repeats"`   // how often the artifact was judged
	Items    int          `json:"items"`     // how many items were answered each time
	FlipRate float64      `json:"flip_rate"` // 0-1: share of pairs of repeats that answer an item differently
	FlipLow  float64      `json:"flip_low"`  // its 95 % interval
	FlipHigh float64      `json:"flip_high"`
	SD       float64      `json:"sd"`   // points: standard deviation of one overall score
	Band     float64      `json:"band"` // points: 95 % of differences without a change are smaller
	Judges   []JudgeNoise `json:"judges,omitempty"`
}

// JudgeNoise is the noise of one judge.
type JudgeNoise struct {
	Name     string  `json:"name"`
	FlipRate float64 `json:"flip_rate"` // 0-1
	SD       float64 `json:"sd"`        // points
}

// Change says how far a round's score is told apart from the one it was built on.
type Change struct {
	Word string `json:"word"`           // IMPROVED REGRESSED NO CREDIBLE CHANGE UNDERPOWERED
	Text string `json:"text,omitempty"` // the same with its numbers, for a person; may begin with Word and a colon
}
