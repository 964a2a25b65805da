import type { EngineConnection } from '../engine';

const MAX_KNOWN = 10_000;
/** By trace id. A run keeps its workflow id for ever. */
const known = new Map<string, Promise<string | undefined>>();

/**
 * Finds the workflow id of a run in the server's index, which shows a new run within about a second. The index is the slowest part of
 * a lookup, so it is asked once for those who follow or poll the same run.
 * @returns undefined where the index has no such run
 */
export function findWorkflowId(connection: EngineConnection, traceId: string): Promise<string | undefined> {
  const found = known.get(traceId) ?? askIndex(connection, traceId);
  // The run that was asked for last is the last.
  known.delete(traceId);
  known.set(traceId, found);
  const [oldest] = known.keys();
  if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  const forget = (): void => {
    if (known.get(traceId) === found) known.delete(traceId);
  };
  found.then((id) => id ?? forget(), forget);
  return found;
}

async function askIndex({ client }: EngineConnection, traceId: string): Promise<string | undefined> {
  for await (const run of client.workflow.list({ query: `RunId = '${traceId}'`, pageSize: 1 }))
    return run.workflowId;
  return undefined;
}
