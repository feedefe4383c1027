#!/bin/sh
# Adds a link to the glossary at the end of the section on the code, unless there is one.
set -eu
if [ $# -ne 1 ] || [ ! -f "$1" ]; then
	printf 'usage: %s FILE\n' "$0" >&2
	exit 2
fi

if grep -qF '](docs/glossary.md)' "$1"; then exit 0; fi
new=$(awk '
	/^## / && inside { print "Words that mean something special here are in the [glossary](docs/glossary.md).\n"; inside = 0 }
	/^## How the code is laid out$/ { inside = 1 }
	{ print }
' <"$1")
printf '%s\n' "$new" >"$1"
