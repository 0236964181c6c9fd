#!/bin/sh
# Serves documentation that nobody here wrote, from Debian packages, on loopback: a real input for crawling and search.
# Usage: scripts/real-sites.sh [folder]    (ends with Ctrl-C; the packages are unpacked into the folder, not installed)
# Then, in another shell:  DATA_DIR=/tmp/real-sites-data CONFIG_FILE=scripts/real-sites.yaml npm start
#                          npx fossick crawler status 1
#                          node scripts/evaluate/real-sites.ts --data /tmp/real-sites-data
set -eu
scripts=$(cd "$(dirname "$0")" && pwd)
folder=${1:-${TMPDIR:-/tmp}/fossick-real-sites}
mkdir -p "$folder"
cd "$folder"
for package in postgresql-doc-15 python3.11-doc cppreference-doc-en-html apache2-doc; do
  [ -d "$package" ] && continue
  echo "unpacking $package into $folder"
  apt-get download -qq "$package" 2>&1 | grep -v unsandboxed || true
  dpkg-deb -x "$package"_*.deb "$package.new"
  mv "$package.new" "$package"
  rm "$package"_*.deb
done
started=
trap 'kill $started' EXIT INT TERM
serve() {
  node "$scripts/serve-folder.mjs" "$folder/$1" "$2" &
  started="$started $!"
}
serve postgresql-doc-15/usr/share/doc/postgresql-doc-15/html 8091
serve python3.11-doc/usr/share/doc/python3.11/html 8092
serve cppreference-doc-en-html/usr/share/cppreference/doc/html 8093
serve apache2-doc/usr/share/doc/apache2-doc/manual 8094
wait
