#!/bin/sh
# get-context.sh RUNS: what earlier runs say to the next one, as one line of JSON.
set -eu
[ $# -eq 1 ] || { echo "usage: get-context.sh RUNS" >&2; exit 2; }
. "$(dirname "$0")/cli.sh"
exec "$cli" runs context "$1"
