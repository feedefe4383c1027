# Sets cli to hoyeon-cli: the launcher of this plugin, which Codex has on no PATH, or else the one on PATH.
cli=$(dirname "$0")/../../../bin/hoyeon-cli
[ -x "$cli" ] || cli=hoyeon-cli
