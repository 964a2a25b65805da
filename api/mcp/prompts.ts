import { type GetPromptResult, type McpServer, type Prompt } from '@modelcontextprotocol/server';
import type { PredefinedWorkflow } from '../../src/contracts/http/workflows';
import type { Exchange, Handle } from './exchange';
import type { McpPorts } from './mcp-ports';
import { takePage } from './pages';
import { toolOfWorkflow } from './workflow-tools';

/** Adds the prompts to a server: one for each workflow that is run by its id, whose arguments are the inputs. */
export function addPrompts(server: McpServer['server'], { offerOf }: McpPorts, handle: Handle): void {
  server.setRequestHandler('prompts/list', ({ params }, context) =>
    handle(context, async ({ context: { caller } }: Exchange) => {
      const { workflows } = await offerOf(caller.tenant);
      const { page, nextCursor } = takePage((await workflows.list()).map(toPrompt), params?.cursor);
      return { prompts: page, ...(nextCursor === undefined ? {} : { nextCursor }) };
    }),
  );
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: inputs = {} } }, context) =>
    handle(context, async ({ context: { caller } }: Exchange) => {
      const { workflows } = await offerOf(caller.tenant);
      return toMessages(await workflows.get(name), inputs);
    }),
  );
}

function toPrompt({ id, name, description, inputs }: PredefinedWorkflow): Prompt {
  return {
    name: id,
    title: name,
    description,
    arguments: Object.entries(inputs).map(([input, { description: about, required, default: value }]) => ({
      name: input,
      description: about,
      required: required && value === undefined,
    })),
  };
}

function toMessages(
  { id, description }: PredefinedWorkflow,
  inputs: Readonly<Record<string, string>>,
): GetPromptResult {
  const text = `Call the tool ${toolOfWorkflow(id)} with these arguments and report its result: ${JSON.stringify(inputs)}`;
  return { description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}
