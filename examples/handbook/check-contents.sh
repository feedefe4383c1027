#!/bin/sh
# Exits 0 when a Markdown file links to every one of its sections as contents.sh would, else 1.
set -eu
if [ $# -ne 1 ] || [ ! -f "$1" ]; then
	printf 'usage: %s FILE\n' "$0" >&2
	exit 2
fi
case $0 in
*/*) here=${0%/*} ;;
*) here=. ;;
esac

"$here/contents.sh" "$1" | {
	all=0
	while IFS= read -r line; do
		grep -qxF -e "$line" "$1" || all=1
	done
	exit "$all"
}
