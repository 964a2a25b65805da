#!/bin/sh
# Makes the namespace where there is none. Repeating it changes nothing: an existing one keeps its retention.
# TEMPORAL_ADDRESS says where.
set -eu

NAMESPACE=$1
RETENTION_DAYS=$2
LIMIT_S=180

waited=0
until temporal operator cluster health; do
  waited=$((waited + 2))
  if [ "$waited" -ge "$LIMIT_S" ]; then
    echo "Temporal at $TEMPORAL_ADDRESS does not serve after $LIMIT_S s: see the reason above" >&2
    exit 1
  fi
  echo "waiting for Temporal at $TEMPORAL_ADDRESS ($waited of $LIMIT_S s)"
  sleep 2
done
if temporal operator namespace describe --namespace "$NAMESPACE" >/dev/null 2>&1; then
  echo "the namespace $NAMESPACE is there"
else
  temporal operator namespace create --namespace "$NAMESPACE" --retention "$((RETENTION_DAYS * 24))h"
  echo "the namespace $NAMESPACE is made"
fi
