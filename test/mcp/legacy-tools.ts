import { type CallToolResult, type ServerContext } from '@modelcontextprotocol/server';
import type { McpTool, ToolArguments } from '../../packages/mcp/endpoint/sources';
import { defineTool, startsNoRun, textResult } from './tool-definitions';

const DEFAULTS = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};

const PLAIN = ['option1', 'option2', 'option3'];
const titled = (word: string) =>
  ['First', 'Second', 'Third'].map((rank, at) => ({
    const: `value${String(at + 1)}`,
    title: `${rank} ${word}`,
  }));
const ENUMS = {
  untitledSingle: { type: 'string', enum: PLAIN },
  titledSingle: { type: 'string', oneOf: titled('Option') },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: PLAIN } },
  titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
};

/** Tools that send requests and log messages to the client while they work, which the revision 2025-11-25 knows. */
export function legacyTools(): McpTool[] {
  return [
    answering('test_sampling', async ({ prompt }, exchange) => {
      const params = {
        messages: [{ role: 'user', content: { type: 'text', text: String(prompt) } }],
        maxTokens: 100,
      };
      const answer = await exchange.mcpReq.send({ method: 'sampling/createMessage', params } as never);
      return textResult(`LLM response: ${JSON.stringify(answer)}`);
    }),
    eliciting('test_elicitation', { username: { type: 'string' }, email: { type: 'string' } }),
    eliciting('test_elicitation_sep1034_defaults', DEFAULTS),
    eliciting('test_elicitation_sep1330_enums', ENUMS),
    answering('test_tool_with_logging', (_, exchange) =>
      log(exchange, 'Tool execution started', 'Tool processing data', 'Tool execution completed'),
    ),
    answering('test_logging_tool', (_, exchange) => log(exchange, 'Tool execution started')),
  ];
}

function eliciting(name: string, properties: object): McpTool {
  return answering(name, async ({ message = 'Please fill in' }, exchange) => {
    const params = { mode: 'form', message, requestedSchema: { type: 'object', properties } };
    const answer = await exchange.mcpReq.send({ method: 'elicitation/create', params } as never);
    return textResult(`User response: ${JSON.stringify(answer)}`);
  });
}

async function log(exchange: ServerContext, ...messages: string[]): Promise<CallToolResult> {
  // Log messages are deprecated for new servers, and the suite asks for them.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  for (const message of messages) await exchange.mcpReq.log('info', message);
  return textResult('The messages are logged');
}

function answering(
  name: string,
  answer: (args: ToolArguments, exchange: ServerContext) => Promise<CallToolResult>,
): McpTool {
  const text = { type: 'string' };
  return { definition: defineTool(name, { prompt: text, message: text }), answer, call: startsNoRun };
}
