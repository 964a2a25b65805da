import { ResourceNotFoundError, type McpServer, type ReadResourceResult } from '@modelcontextprotocol/server';
import { isHoldfastError } from '../../src/base/errors';
import { findYoungRun } from '../../temporal/young-run';
import { withSteps } from '../runs/with-steps';
import type { Exchange, Handle } from './exchange';
import type { McpPorts } from './mcp-ports';
import { MEMORIES_URI_TEMPLATE, readMemoriesUri, readRunUri, RUN_URI_TEMPLATE } from './resource-uris';

const JSON_TYPE = 'application/json';

/** Adds the resources to a server: the records of runs, and the memories of users. */
export function addResources(server: McpServer['server'], ports: McpPorts, handle: Handle): void {
  server.setRequestHandler('resources/list', () => ({ resources: [] }));
  const memories = {
    uriTemplate: MEMORIES_URI_TEMPLATE,
    name: 'memories',
    description: 'The latest memories of a user',
    mimeType: JSON_TYPE,
  };
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      {
        uriTemplate: RUN_URI_TEMPLATE,
        name: 'run',
        description: 'The record of a run: its state, its steps, and its result or error',
        mimeType: JSON_TYPE,
      },
      ...(ports.offered.has('memory') ? [memories] : []),
    ],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }, context) =>
    handle(context, (exchange) => readResource(ports, uri, exchange)),
  );
}

async function readResource(ports: McpPorts, uri: string, exchange: Exchange): Promise<ReadResourceResult> {
  const userId = ports.offered.has('memory') ? readMemoriesUri(uri) : undefined;
  if (userId === undefined) return readRun(ports, uri, exchange);
  const { caller } = exchange.context;
  const { memories } = await ports.offerOf(caller.tenant);
  const found = await memories.find({ userId }, caller);
  return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(found) }] };
}

async function readRun(
  { engine, shown }: McpPorts,
  uri: string,
  { context: { owner } }: Exchange,
): Promise<ReadResourceResult> {
  const traceId = readRunUri(uri);
  if (traceId === undefined) throw new ResourceNotFoundError(uri);
  try {
    const record = await withSteps(engine, await findYoungRun(engine, { ...shown, owner }, { traceId }));
    return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(record) }] };
  } catch (error) {
    if (isHoldfastError(error) && error.code === 'RUN_NOT_FOUND') throw new ResourceNotFoundError(uri);
    throw error;
  }
}
