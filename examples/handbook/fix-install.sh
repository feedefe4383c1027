#!/bin/sh
# Adds the install command at the end of the section on setting up, before its subsections, unless the file
# has one.
set -eu
if [ $# -ne 1 ] || [ ! -f "$1" ]; then
	printf 'usage: %s FILE\n' "$0" >&2
	exit 2
fi

if grep -q '^go install ' "$1"; then exit 0; fi
new=$(awk '
	/^###? / && inside {
		print "To install what you have built, so that `cardsort` is on your path:\n"
		print "```sh\ngo install ./cmd/cardsort\n```\n"
		inside = 0
	}
	/^## Set up$/ { inside = 1 }
	{ print }
' <"$1")
printf '%s\n' "$new" >"$1"
