import { createServer, type ServerResponse, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { json } from 'node:stream/consumers';

const PLAIN = '{"type":"object","properties":{}}';
const BACKTRACKING = '{"type":"object","properties":{"text":{"type":"string","pattern":"^(a+)+$"}}}';
const INITIALIZED = JSON.stringify({
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'hostile', version: '1.0.0' },
});
/** How often each path was listed. */
const listings = new Map<string, number>();

/** The addresses of the attacker's own server. */
export interface HostilePeer {
  /** JSON of 3.9 MB in one text. */
  readonly large: string;
  /** An object of 4 MB with 240,000 names. */
  readonly names: string;
  /** A list of 4 MB with two million items. */
  readonly list: string;
  /** 4 MB of opening brackets. */
  readonly nested: string;
  /** A piece now and then, without an end. */
  readonly endless: string;
  /** Pieces as fast as they are read, without an end. */
  readonly flood: string;
  /** 100 MB of zeros in 100 kB of gzip. */
  readonly bomb: string;
  /** No answer. */
  readonly silent: string;
  /** An MCP server whose only tool has a schema of this depth. */
  deepMcp(depth: number): string;
  /** The same from its second listing on. */
  laterDeepMcp(depth: number): string;
  /** An MCP server with a tool `asks` whose parameter `text` has a pattern that backtracks. */
  readonly backtrackingMcp: string;
}

const MEGABYTE = 1_000_000;
const ENDLESS_EVERY_MS = 50;

/** Starts the server. All that it answers is made beforehand, so that it takes little CPU from the service. */
export async function startHostilePeer(): Promise<HostilePeer> {
  const texts: Readonly<Record<string, Buffer>> = {
    '/large': Buffer.from(JSON.stringify({ text: 'x'.repeat(3.9 * MEGABYTE) })),
    '/names': Buffer.from(JSON.stringify(namedNumbers(240_000))),
    '/list': Buffer.from(JSON.stringify(Array.from({ length: 2 * MEGABYTE - 2 }, () => 1))),
    '/nested': Buffer.from('['.repeat(4 * MEGABYTE)),
  };
  const bomb = gzipSync(Buffer.alloc(100 * MEGABYTE));
  const piece = Buffer.alloc(65_536, 'x');
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const text = texts[path];
    if (text !== undefined) return sendJson(response, text);
    if (path.startsWith('/mcp/')) return answerMcp(request, response);
    if (path === '/bomb') return sendJson(response, bomb, { 'content-encoding': 'gzip' });
    if (path === '/silent') return;
    response.writeHead(200, { 'content-type': 'application/json' });
    if (path === '/flood') return flood(response, piece);
    const timer = setInterval(() => response.write('['), ENDLESS_EVERY_MS);
    response.on('close', () => clearInterval(timer));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const at = (path: string): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`;
  return {
    large: at('large'),
    names: at('names'),
    list: at('list'),
    nested: at('nested'),
    endless: at('endless'),
    flood: at('flood'),
    bomb: at('bomb'),
    silent: at('silent'),
    deepMcp: (depth) => at(`mcp/deep/${depth}`),
    laterDeepMcp: (depth) => at(`mcp/later/${depth}`),
    backtrackingMcp: at('mcp/backtracking'),
  };
}

function namedNumbers(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${100_000 + n}`, 1_000_000 + n]));
}

function sendJson(response: ServerResponse, body: Buffer, headers: object = {}): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);
}

function flood(response: ServerResponse, piece: Buffer): void {
  const write = (): void => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', write);
  write();
}

/** Answers as an MCP server of the revision of 2025 does. The path says what it lists, as `HostilePeer` describes it. */
function answerMcp(request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  json(request).then(
    (message) => answer(request.url ?? '', message as { id?: number; method?: string }, response),
    () => response.destroy(),
  );
}

function answer(
  path: string,
  { id, method }: { id?: number; method?: string },
  response: ServerResponse,
): void {
  const send = (result: string): void =>
    void response
      .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'one' })
      .end(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
  if (method === 'initialize') return send(INITIALIZED);
  if (method === 'server/discover') return void response.writeHead(400).end();
  if (id === undefined) return void response.writeHead(202).end();
  if (method !== 'tools/list') return send('{"content":[]}');
  send(`{"tools":[{"name":"asks","inputSchema":${schemaFor(path)}}]}`);
}

function schemaFor(path: string): string {
  const [, , kind, depth] = path.split('/');
  const listed = listings.get(path) ?? 0;
  listings.set(path, listed + 1);
  if (kind === 'backtracking') return BACKTRACKING;
  return kind === 'later' && listed === 0 ? PLAIN : deepSchema(Number(depth));
}

function deepSchema(depth: number): string {
  return '{"type":"object","properties":{"a":'.repeat(depth) + '{"type":"string"}' + '}}'.repeat(depth);
}
