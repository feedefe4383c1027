#!/bin/sh
# init-eval.sh FOLDER: make an eval folder with an empty log.
set -eu
[ $# -eq 1 ] || { echo "usage: init-eval.sh FOLDER" >&2; exit 2; }
. "$(dirname "$0")/cli.sh"
exec "$cli" runs init "$1"
