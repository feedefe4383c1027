#!/bin/sh
# Adds a subsection on removing the program at the end of the section on setting up, unless there is one.
set -eu
if [ $# -ne 1 ] || [ ! -f "$1" ]; then
	printf 'usage: %s FILE\n' "$0" >&2
	exit 2
fi

if grep -q '^### Remove it again$' "$1"; then exit 0; fi
new=$(awk '
	/^## / && inside {
		print "### Remove it again\n"
		print "Delete the program, `rm \"$(command -v cardsort)\"`, and its settings in `~/.config/cardsort`. The photos in the"
		print "store are plain files and stay where they are.\n"
		inside = 0
	}
	/^## Set up$/ { inside = 1 }
	{ print }
' <"$1")
printf '%s\n' "$new" >"$1"
