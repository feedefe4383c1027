#!/bin/sh
# Puts the way back from a bad release where the handbook still promises it.
set -eu
if [ $# -ne 1 ] || [ ! -f "$1" ]; then
	printf 'usage: %s FILE\n' "$0" >&2
	exit 2
fi

new=$(awk '
	/^TODO: write down how to take a release back\.$/ {
		print "To take a release back, mark it as a pre-release on its page, so that nobody is offered it, and release the last good"
		print "commit under the next number. Never move a tag: people have pinned it."
		next
	}
	{ print }
' <"$1")
printf '%s\n' "$new" >"$1"
