/**
 * An MCP server by standard input and output, of the official packages. Its arguments are a behaviour, a word by which
 * tests find its process, and a file with the description of its tool.
 */
import { readFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const [behaviour, , descriptionFile] = process.argv.slice(2);

/** Nothing but SIGKILL ends the process from then on. */
function stay() {
  process.on('SIGTERM', () => undefined);
  setInterval(() => undefined, 60_000);
}

function answer(name) {
  switch (name) {
    case 'look':
      return {
        content: [],
        structuredContent: { key: process.env.SHOP_KEY, names: Object.keys(process.env) },
      };
    case 'wait':
      stay();
      return new Promise(() => undefined);
    case 'break':
      return process.exit(1);
    default:
      // More than a pipe holds, so that a reader is needed.
      process.stderr.write('a line for the log\n'.repeat(20_000));
      return { content: [{ type: 'text', text: 'done' }] };
  }
}

function nested(levels) {
  return levels === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(levels - 1) } };
}

function build() {
  const mcp = new McpServer({ name: 'shop', version: '1.0.0' }, { capabilities: { tools: {} } });
  const description = descriptionFile === undefined ? 'Looks' : readFileSync(descriptionFile, 'utf8');
  const tools = [
    { name: 'look', description, annotations: { readOnlyHint: true } },
    { name: 'wait' },
    { name: 'break' },
    { name: 'talk' },
    ...(behaviour.endsWith('nested') ? [{ name: 'deep', inputSchema: nested(1_000) }] : []),
  ];
  mcp.server.setRequestHandler('tools/list', () => ({
    tools: tools.map((tool) => ({ inputSchema: { type: 'object' }, ...tool })),
  }));
  mcp.server.setRequestHandler('tools/call', ({ params }) => answer(params.name));
  return mcp;
}

switch (behaviour) {
  case 'modern':
  case 'modern-nested':
    serveStdio(build, { legacy: 'reject' });
    break;
  case 'legacy':
  case 'legacy-nested':
    await build().connect(new StdioServerTransport());
    break;
  case 'exit':
    console.error('there is no configuration');
    process.exit(3);
    break;
  case 'garbage':
    setInterval(() => console.log('Welcome to the shop!'), 10);
    break;
  default:
    stay();
}
