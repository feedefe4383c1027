#!/bin/sh
# append-run.sh RUNS RECORD: check a record (one JSON object) and append it.
set -eu
[ $# -eq 2 ] || { echo "usage: append-run.sh RUNS RECORD" >&2; exit 2; }
. "$(dirname "$0")/cli.sh"
exec "$cli" runs append "$1" "$2"
