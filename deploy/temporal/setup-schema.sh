#!/bin/sh
# Creates Temporal's two databases on PostgreSQL and updates their schemas. It may be repeated.
# temporal-sql-tool reads SQL_PLUGIN, SQL_HOST, SQL_PORT, SQL_USER and SQL_PASSWORD.
set -eu

LIMIT_S=120

waited=0
until temporal-sql-tool --db "$1" create; do
  waited=$((waited + 2))
  if [ "$waited" -ge "$LIMIT_S" ]; then
    echo "PostgreSQL at $SQL_HOST:$SQL_PORT cannot be used after $LIMIT_S s: see the reason above" >&2
    exit 1
  fi
  echo "waiting for PostgreSQL at $SQL_HOST:$SQL_PORT ($waited of $LIMIT_S s)"
  sleep 2
done
temporal-sql-tool --db "$1" setup-schema --version 0.0
temporal-sql-tool --db "$1" update-schema --schema-name postgresql/v12/temporal

temporal-sql-tool --db "$2" create
temporal-sql-tool --db "$2" setup-schema --version 0.0
temporal-sql-tool --db "$2" update-schema --schema-name postgresql/v12/visibility
echo "the schemas of $1 and $2 are up to date"
