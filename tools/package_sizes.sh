#!/usr/bin/env bash
# What ./dev installs first on a bare Debian 12: packages, megabytes to fetch and on disk.
#
#   tools/package_sizes.sh [-o FOLDER] [COMMAND...]   default: demo wheel test
#
# Makes the smallest system that debootstrap knows in FOLDER (default: one under /tmp, removed
# afterwards) and asks its apt-get; installs nothing. Wants root, debootstrap and a network.
set -euo pipefail
dev=$(dirname "${BASH_SOURCE[0]}")/../dev

if [ "${1:-}" = -o ]; then
  system=$2
  shift 2
else
  system=$(mktemp -d)
  trap 'rm -rf "$system"' EXIT
fi
[ $# -gt 0 ] || set -- demo wheel test

if [ ! -d "$system"/var/lib/dpkg ]; then
  debootstrap --variant=minbase bookworm "$system" >&2
fi
chroot "$system" apt-get update >&2

# "42 newly installed", "Need to get 9.5 MB of archives", "After this operation, 30 MB of ...";
# answered with no, apt-get ends with 1.
printf '%-10s%12s%12s%12s\n' command packages fetched 'on disk'
for command; do
  # shellcheck disable=SC2046 # a list of names
  { chroot "$system" env LC_ALL=C apt-get install --assume-no --no-install-recommends \
    $("$dev" packages "$command") 2>&1 || true; } | awk -v command="$command" '
      { said = said "\n" $0 }
      / newly installed/ { count = $3 }
      /^Need to get/ { fetched = $4 " " $5 }
      /^After this operation/ { disk = $4 " " $5 }
      END {
        if (!count) { print "package_sizes: no answer for " command said >"/dev/stderr"; exit 1 }
        printf "%-10s%12s%12s%12s\n", command, count, fetched, disk
      }'
done
