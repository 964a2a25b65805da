import { ResourceNotFoundError, type McpServer, type ReadResourceResult } from '@modelcontextprotocol/server';
import { isHoldfastError } from '../../src/base/errors';
import { findYoungRun } from '../../temporal/young-run';
import { withSteps } from '../runs/with-steps';
import type { Exchange, Handle } from './exchange';
import type { McpPorts } from './mcp-ports';
import { readRunUri, RUN_URI_TEMPLATE } from './run-uri';

const JSON_TYPE = 'application/json';

/** Adds the resources to a server: the records of runs. */
export function addResources(server: McpServer['server'], ports: McpPorts, handle: Handle): void {
  server.setRequestHandler('resources/list', () => ({ resources: [] }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      {
        uriTemplate: RUN_URI_TEMPLATE,
        name: 'run',
        description: 'The record of a run: its state, its steps, and its result or error',
        mimeType: JSON_TYPE,
      },
    ],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }, context) =>
    handle(context, (exchange) => readRun(ports, uri, exchange)),
  );
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
