#!/bin/sh
# States the oldest Go version below the list of systems, unless one is stated.
set -eu
if [ $# -ne 1 ] || [ ! -f "$1" ]; then
	printf 'usage: %s FILE\n' "$0" >&2
	exit 2
fi

if grep -qE 'Go 1\.[0-9]+ or newer' "$1"; then exit 0; fi
new=$(awk '
	{ print }
	/^Cardsort builds and runs on / { print "It needs Go 1.24 or newer and nothing else: there is no C code in it." }
' <"$1")
printf '%s\n' "$new" >"$1"
