#!/bin/sh
# Prints the table of contents of a Markdown file: a link to each section, in order, with the anchor that
# GitHub gives it. Headings in code blocks are none, and the contents do not list themselves.
set -eu
if [ $# -ne 1 ] || [ ! -f "$1" ]; then
	printf 'usage: %s FILE\n' "$0" >&2
	exit 2
fi

awk '
	/^```/ { code = !code }
	!code && /^## / && $0 != "## Contents" {
		text = substr($0, 4)
		anchor = tolower(text)
		gsub(/[^a-z0-9 _-]/, "", anchor)
		gsub(/ /, "-", anchor)
		printf "- [%s](#%s)\n", text, anchor
	}
' <"$1"
