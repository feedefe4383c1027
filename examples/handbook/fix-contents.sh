#!/bin/sh
# Writes the table of contents before the first section, in place of an older one.
set -eu
if [ $# -ne 1 ] || [ ! -f "$1" ]; then
	printf 'usage: %s FILE\n' "$0" >&2
	exit 2
fi
case $0 in
*/*) here=${0%/*} ;;
*) here=. ;;
esac

list=$("$here/contents.sh" "$1")
new=$(LIST=$list awk '
	/^```/ { code = !code }
	!code && /^## / {
		old = ($0 == "## Contents")
		if (!done) print "## Contents\n\n" ENVIRON["LIST"] "\n"
		done = 1
	}
	!old
' <"$1")
printf '%s\n' "$new" >"$1"
