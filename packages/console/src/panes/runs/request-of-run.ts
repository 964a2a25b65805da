import type { Run } from '../../api/step';

/** A request of the API, as it is copied. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
}

type Input = Readonly<Record<string, unknown>>;

/** Turns with a user and a session have these in their options. */
const asTurn = (
  text: string,
  { userId, sessionId, agent, instructions, tools, responseSchema }: Input,
): unknown => ({
  query: text,
  options: { userId, sessionId, agent, instructions, tools, responseSchema },
});

const REQUESTS: Readonly<Record<string, (input: Input) => Omit<ApiRequest, 'method'>>> = {
  agentTurn: (input) => ({ path: '/api/agent/execute', body: asTurn(String(input['query']), input) }),
  customWorkflow: (input) => ({ path: '/api/workflow/execute-custom', body: input }),
  executeTool: (input) => ({ path: '/api/tools/execute', body: input }),
  executeToolsInParallel: (input) => ({ path: '/api/tools/execute-multiple', body: input }),
  executeToolsInSequence: (input) => ({ path: '/api/tools/execute-sequential', body: input }),
  mcpExecution: ({ query }) => ({ path: '/api/tools/mcp', body: { query } }),
  memoryChatTurn: ({ message, userId, sessionId }) => ({
    path: '/api/memory-chat/chat',
    body: { message, userId, sessionId },
  }),
  queryWorkflow: ({ query }) => ({ path: '/api/workflow/execute', body: { query } }),
};

/** The request that starts a run like this one; that of its record, if a run of its type is not started by one. Pure. */
export function requestOfRun({ type, input, traceId }: Pick<Run, 'type' | 'input' | 'traceId'>): ApiRequest {
  const toRequest = REQUESTS[type];
  // A note stands in the place of a long input.
  if (toRequest === undefined || typeof input !== 'object' || input === null)
    return { method: 'GET', path: `/api/runs/${traceId}` };
  return { method: 'POST', ...toRequest(input as Input) };
}

/** A request as code with the client. Pure. */
export function clientCode({ method, path, body }: ApiRequest, baseUrl: string, needsKey: boolean): string {
  const key = needsKey ? ', apiKey: process.env.HOLDFAST_API_KEY' : '';
  const call =
    body === undefined
      ? `client.run('${path.split('/').at(-1) ?? ''}').wait()`
      : `client.result(\n  client.${method}('${path}', {\n    body: ${indent(JSON.stringify(body, undefined, 2))},\n  }),\n)`;
  return `import { createClient } from 'holdfast-client';

const client = createClient({ baseUrl: '${baseUrl}'${key} });
const done = await ${call};
console.log(done);
`;
}

const indent = (text: string): string => text.replaceAll('\n', '\n    ');
