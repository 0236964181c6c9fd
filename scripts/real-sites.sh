#!/bin/sh
# Serves documentation that nobody here wrote, from Debian packages, on loopback: a real input for crawling and search.
# Usage: scripts/real-sites.sh    (ends with Ctrl-C)
# Then, in another shell:  DATA_DIR=/tmp/real-sites CONFIG_FILE=scripts/real-sites.yaml npm start
#                          node scripts/evaluate/real-sites.ts http://127.0.0.1:8080
set -eu
packages="postgresql-doc-15 python3.11-doc"
for package in $packages; do
  if ! dpkg -s "$package" >/dev/null 2>&1; then
    echo "installing $package with apt-get"
    apt-get install -y -qq "$package"
  fi
done
cd "$(dirname "$0")"
node serve-folder.mjs /usr/share/doc/postgresql-doc-15/html 8091 &
postgresql=$!
node serve-folder.mjs /usr/share/doc/python3.11/html 8092 &
python=$!
trap 'kill $postgresql $python' EXIT INT TERM
wait
