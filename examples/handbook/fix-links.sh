#!/bin/sh
# Turns the links that went stale when two files were renamed and a section got another title.
set -eu
if [ $# -ne 1 ] || [ ! -f "$1" ]; then
	printf 'usage: %s FILE\n' "$0" >&2
	exit 2
fi

new=$(sed \
	-e 's|(docs/arch\.md)|(docs/architecture.md)|g' \
	-e 's|(docs/releasing\.md)|(docs/release.md)|g' \
	-e 's|(#asking-for-help)|(#getting-help)|g' <"$1")
printf '%s\n' "$new" >"$1"
