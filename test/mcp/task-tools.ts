import { inputRequired } from '@modelcontextprotocol/server';
import type { McpOffer } from '../../packages/mcp/endpoint/mcp-ports';
import type { McpTool, ToolArguments } from '../../packages/mcp/endpoint/sources';
import type { RequestContext } from '../../api/http/route';
import { HoldfastError } from '../../src/base/errors';
import { askFor, responsesOf } from './input-requests';
import { defineTool } from './tool-definitions';

export interface Workbench {
  /** The address of a server that answers slowly. */
  readonly peer: string;
  /** Sends a request to the API. @returns the `data` of its response */
  post(path: string, body: object, headers?: Record<string, string>): Promise<unknown>;
}

/** How long a run works that is to become a task, seconds. */
const WORK_S = '1';
/** Long enough that only the termination ends it, seconds. */
const ENDLESS_S = '60';

/** Tools whose calls become tasks: calls of a slow server by the service's own tool, and runs that wait for approvals. */
export function taskTools(offer: McpOffer, { peer, post }: Workbench): McpTool[] {
  /** Calls the slow server by the service's own tool, which does not repeat a POST. */
  async function callPeer(answer: Record<string, string>, context: RequestContext): Promise<unknown> {
    const args = { url: `${peer}?${new URLSearchParams(answer).toString()}`, method: 'POST' };
    for (const source of offer.tools) {
      const found = await source.find('api_call', context);
      if (found !== undefined) return found.call(args, context);
    }
    throw new Error('The service has no api_call');
  }

  /** Two calls that wait for an approval each. */
  async function waitForTwo({ noteRun }: RequestContext): Promise<never> {
    const call = { toolName: 'confirm_delete', args: {} };
    const started = await post(
      '/api/tools/execute-multiple',
      { tools: [call, call] },
      { prefer: 'respond-async' },
    );
    const { traceId, workflowId } = started as { readonly traceId: string; readonly workflowId: string };
    noteRun({ runId: traceId, workflowId });
    throw new HoldfastError('RUN_STILL_GOING', 'The run waits');
  }

  /** A run that an operator terminates while it works. */
  function endAbnormally(context: RequestContext): Promise<unknown> {
    return callPeer(
      { seconds: ENDLESS_S, text: 'late' },
      {
        ...context,
        noteRun(run) {
          context.noteRun(run);
          const path = `/api/runs/${run.runId}/terminate`;
          setTimeout(() => void post(path, { reason: 'the suite wants it' }), Number(WORK_S) * 1_000);
        },
      },
    );
  }

  const run = (
    name: string,
    call: (context: RequestContext, args: ToolArguments) => Promise<unknown>,
    more: Partial<McpTool> = {},
  ): McpTool => ({
    definition: defineTool(name, { seconds: { type: 'number' }, label: { type: 'string' } }),
    workflowType: 'executeTool',
    call: (args, context) => call(context, args),
    ...more,
  });

  // The tools are created for each call, so this is the name of one.
  let name = '';
  return [
    run('slow_compute', (context, { seconds }) =>
      callPeer({ seconds: String(seconds), text: 'done' }, context),
    ),
    run('failing_job', (context) => callPeer({ seconds: WORK_S }, context), { requiresTask: true }),
    run('protocol_error_job', endAbnormally),
    run('multi_input', waitForTwo),
    run('test_tool_with_task', (context) => callPeer({ seconds: WORK_S, text: `Hello, ${name}!` }, context), {
      requiresTask: true,
      answer(_, exchange) {
        const response = responsesOf(exchange)['user_name'] as { content?: { name?: string } } | undefined;
        name = response?.content?.name ?? '';
        const question = askFor('What is your name?', { name: { type: 'string' } });
        return Promise.resolve(
          name === '' ? inputRequired({ inputRequests: { user_name: question } }) : undefined,
        );
      },
    }),
  ];
}
