import { z } from 'zod';
import { send } from './http';
import type { RunIds } from './stop-runs';
import { waitFor } from './wait';
import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client';

export type McpEra = 'modern' | 'legacy';

export interface McpConnection {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  close(): Promise<void>;
}

/** Connects the official client to the service. @param headers those of each request, such as that with a key */
export async function connectMcp(
  url: string,
  era: McpEra,
  {
    headers = {},
    capabilities = {},
  }: { headers?: Record<string, string> } & Pick<ClientOptions, 'capabilities'> = {},
): Promise<McpConnection> {
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities, versionNegotiation: { mode: era === 'legacy' ? 'legacy' : 'auto' } },
  );
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    // No test uses the kept-alive connection of another.
    requestInit: { headers: { connection: 'close', ...headers } },
  });
  await client.connect(transport);
  return {
    client,
    transport,
    async close() {
      if (era === 'legacy') await transport.terminateSession();
      await client.close();
    },
  };
}

/** The text of the first part of a result. */
export function textOf({ content }: { content?: unknown }): string {
  return (content as { text: string }[])[0]!.text;
}

/** The run of a result, by its metadata. */
export function runOf({ _meta }: { _meta?: Record<string, unknown> | undefined }): RunIds {
  const { 'holdfast/runId': traceId, 'holdfast/workflowId': workflowId } = _meta ?? {};
  return { traceId: String(traceId), workflowId: String(workflowId) };
}

export const TASKS = 'io.modelcontextprotocol/tasks';

/** Calls a tool as a client that takes tasks, which the official client does not read. */
export async function callForTask(
  url: string,
  name: string,
  args: object,
  headers: Record<string, string> = {},
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into answers freely
): Promise<any> {
  const { body } = await send(
    'POST',
    `${url}/mcp`,
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name,
        arguments: args,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, extensions: { [TASKS]: {} } },
        },
      },
    },
    {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
      ...headers,
    },
  );
  return body.result ?? body;
}

const anyResult = z.looseObject({});

/** Sends a method of the extension for tasks. */
export function taskRequest(
  { client }: McpConnection,
  method: 'tasks/get' | 'tasks/update' | 'tasks/cancel',
  params: { taskId: string; inputResponses?: object },
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into answers freely
): Promise<any> {
  return client.request({ method, params: { ...params } }, anyResult);
}

/** Asks for a task until it has a status. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into answers freely
export function taskIn(connection: McpConnection, taskId: string, status: string): Promise<any> {
  return waitFor(
    async () => {
      const task = await taskRequest(connection, 'tasks/get', { taskId });
      return task.status === status ? task : undefined;
    },
    { what: `the task to be ${status}` },
  );
}

/** Reads the record of a run as a resource. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into answers freely
export async function readRunResource({ client }: McpConnection, { traceId }: RunIds): Promise<any> {
  const { contents } = await client.readResource({ uri: `holdfast://runs/${traceId}` });
  return JSON.parse((contents[0] as { text: string }).text);
}
