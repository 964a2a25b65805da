import {
  McpServer,
  type McpServerFactory,
  type ListToolsResult,
  type Tool,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { createFailureNotes } from '../../../api/http/note-failures';
import type { RequestContext } from '../../../api/http/route';
import { VERSION } from '../../../src/base/version';
import { callTool } from './call-tool';
import {
  contextOf,
  type Handle,
  handleExchange,
  readExchange,
  TASKS_EXTENSION,
  type Exchange,
} from './exchange';
import type { McpPorts } from './mcp-ports';
import { type CallState, createCallStates } from './task-ids';
import { addTasks } from './tasks';
import { offeredName } from './offered-names';
import type { PromptSource, ResourceSource } from './sources';

/**
 * The parameters of a list. Every handler names the schema of its parameters, because without one the package answers wrong
 * parameters as an error of the server.
 */
const pageParams = z.looseObject({ cursor: z.string().optional() });
const PAGE_LENGTH = 100;
/** What a cursor says before the name after which its page begins. */
const AFTER = 'after:';

const readParams = z.looseObject({ uri: z.string() });

const getParams = z.looseObject({ name: z.string(), arguments: z.record(z.string(), z.string()).optional() });

/** No list announces its changes; clients keep one for its time to live. The package would declare the opposite. */
const UNANNOUNCED = { listChanged: false };

/** Creates the function that builds the server of one request or session. */
export function createServerFactory(ports: McpPorts): McpServerFactory {
  const { offered, listTtlMs, secrets, additions } = ports;
  const states = createCallStates(secrets);
  const noteFailure = createFailureNotes(ports.metrics);
  /** Reads the run of a call that goes on with the answers of the client's user. */
  function openState(state: string, { caller }: RequestContext): CallState {
    const opened = states.open(state, caller);
    if (opened === undefined) throw new Error('The state is not one of this caller');
    return opened;
  }

  const list = { ttlMs: listTtlMs, cacheScope: 'private' } as const;
  return ({ era }) => {
    const mcp = new McpServer(
      { name: 'holdfast', version: VERSION },
      {
        capabilities: {
          tools: UNANNOUNCED,
          extensions: { [TASKS_EXTENSION]: {} },
          ...(offered.has('prompts') ? { prompts: UNANNOUNCED } : {}),
          ...(offered.has('resources') ? { resources: UNANNOUNCED } : {}),
        },
        requestState: { verify: (state, context) => openState(state, contextOf(context)) },
        cacheHints: {
          'tools/list': list,
          'resources/list': list,
          'resources/templates/list': list,
          'prompts/list': list,
        },
      },
    );
    const { server } = mcp;
    const handle: Handle = (context, work) =>
      // A session has no other place for what its client declared.
      // eslint-disable-next-line @typescript-eslint/no-deprecated
      handleExchange(readExchange(context, era, server.getClientCapabilities()), work, noteFailure);
    server.setRequestHandler('tools/list', { params: pageParams }, ({ cursor }, context) =>
      handle(context, (exchange) => listTools(ports, cursor, exchange)),
    );
    server.setRequestHandler('tools/call', ({ params }, context) =>
      handle(context, (exchange) => callTool(ports, params, exchange)),
    );
    if (offered.has('prompts')) addPrompts(server, ports, handle);
    addTasks(server, ports, handle);
    if (offered.has('resources')) addResources(server, ports, handle);
    additions?.extend(server);
    return mcp;
  };
}

/** Lists a page of the tools of a caller, by names that every client takes. @throws ProtocolError for a cursor that is not one of a page */
async function listTools(
  { offerOf }: Pick<McpPorts, 'offerOf'>,
  cursor: string | undefined,
  { context }: Exchange,
): Promise<ListToolsResult> {
  const { tools: sources } = await offerOf(context.caller.tenant);
  const lists = await Promise.all(sources.map((source) => source.list(context)));
  const byName = new Map<string, Tool>();
  for (const tool of lists.flat()) if (!byName.has(tool.name)) byName.set(tool.name, tool);
  const offered = [...byName.values()].map((tool) => ({ ...tool, name: offeredName(tool.name) }));
  const { page, nextCursor } = takePage(offered, cursor);
  return { tools: page, nextCursor };
}

/** Adds the prompts of a tenant to a server. */
function addPrompts(
  server: McpServer['server'],
  { offerOf }: Pick<McpPorts, 'offerOf'>,
  handle: Handle,
): void {
  const sourcesOf = async ({ context: { caller } }: Exchange): Promise<readonly PromptSource[]> =>
    (await offerOf(caller.tenant)).prompts;
  server.setRequestHandler('prompts/list', { params: pageParams }, ({ cursor }, context) =>
    handle(context, async (exchange) => {
      const lists = await Promise.all((await sourcesOf(exchange)).map((source) => source.list()));
      const { page, nextCursor } = takePage(lists.flat(), cursor);
      return { prompts: page, nextCursor };
    }),
  );
  server.setRequestHandler(
    'prompts/get',
    { params: getParams },
    ({ name, arguments: inputs = {} }, context) =>
      handle(context, async (exchange) => {
        for (const source of await sourcesOf(exchange)) {
          const prompt = await source.get(name, inputs, context);
          if (prompt !== undefined) return prompt;
        }
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt named "${name}"`);
      }),
  );
}

/** Adds the resources of a tenant to a server. */
function addResources(
  server: McpServer['server'],
  { offerOf }: Pick<McpPorts, 'offerOf'>,
  handle: Handle,
): void {
  const sourcesOf = async ({ context: { caller } }: Exchange): Promise<readonly ResourceSource[]> =>
    (await offerOf(caller.tenant)).resources;
  server.setRequestHandler('resources/list', { params: pageParams }, (_, context) =>
    handle(context, async (exchange) => ({
      resources: (await sourcesOf(exchange)).flatMap(({ resources = [] }) => resources),
    })),
  );
  server.setRequestHandler('resources/templates/list', { params: pageParams }, (_, context) =>
    handle(context, async (exchange) => ({
      resourceTemplates: (await sourcesOf(exchange)).flatMap(({ templates }) => templates),
    })),
  );
  server.setRequestHandler('resources/read', { params: readParams }, ({ uri }, context) =>
    handle(context, async (exchange) => {
      for (const source of await sourcesOf(exchange)) {
        const contents = await source.read(uri, exchange);
        if (contents !== undefined) return { contents };
      }
      throw new ResourceNotFoundError(uri);
    }),
  );
}

/**
 * Takes a page of a list in the order of the names. The next page begins after the last name of this one, so that it is right
 * even if items were added or removed meanwhile.
 * @throws ProtocolError for a cursor that is not one of a page
 */
export function takePage<T extends { readonly name: string }>(
  items: readonly T[],
  cursor: string | undefined,
): { readonly page: T[]; readonly nextCursor?: string } {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  const sorted = [...items].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const rest = after === undefined ? sorted : sorted.filter(({ name }) => name > after);
  const page = rest.slice(0, PAGE_LENGTH);
  const last = page.at(-1);
  return rest.length > page.length && last !== undefined
    ? { page, nextCursor: toCursor(last.name) }
    : { page };
}

function toCursor(name: string): string {
  return Buffer.from(AFTER + name).toString('base64url');
}

function readCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (!text.startsWith(AFTER))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is not one of a page');
  return text.slice(AFTER.length);
}
