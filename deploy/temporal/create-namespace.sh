#!/bin/sh
# Creates the namespace on the server at TEMPORAL_ADDRESS where it does not exist. A namespace that exists keeps its
# retention, so the script may be repeated.
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
  echo "the namespace $NAMESPACE exists"
else
  temporal operator namespace create --namespace "$NAMESPACE" --retention "$((RETENTION_DAYS * 24))h"
  echo "the namespace $NAMESPACE was created"
fi
