#!/bin/sh
# Makes the secrets of docker-compose.cluster.yml and of deploy/kubernetes, each once, as files: sh deploy/make-secrets.sh
# What is there already stays. Another folder: sh deploy/make-secrets.sh deploy/kubernetes/secrets
# DATABASE_HOST names a PostgreSQL that is elsewhere (its password is then yours to set: the file database-password).
set -eu
umask 077
folder=${1:-secrets}
host=${DATABASE_HOST:-postgres}
mkdir -p "$folder"

random() { head -c 32 /dev/urandom | od -An -vtx1 | tr -d ' \n'; }
# Others may not enter the folder; the user of a container, to which a file is mounted, may read it.
keep() { [ -s "$folder/$1" ] || { printf '%s' "$2" > "$folder/$1"; chmod 644 "$folder/$1"; echo "made $folder/$1"; }; }

keep database-password "$(random)"
keep database-url "postgres://fossick:$(cat "$folder/database-password")@$host/fossick"
keep secrets-key "$(random)"
keep operator-token "$(random)"
