import { McpServer, type McpServerFactory } from '@modelcontextprotocol/server';
import { createFailureNotes } from '../http/note-failures';
import type { RequestContext } from '../http/route';
import { VERSION } from '../../src/base/version';
import { callTool } from './call-tool';
import { contextOf, type Handle, handleExchange, readExchange, TASKS_EXTENSION } from './exchange';
import { listTools } from './list-tools';
import type { McpPorts } from './mcp-ports';
import { pageParams } from './pages';
import { addPrompts } from './prompts';
import { addResources } from './resources';
import { type CallState, createCallStates } from './task-ids';
import { addTasks } from './tasks';

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
