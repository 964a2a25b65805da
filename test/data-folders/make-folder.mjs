// Makes a data folder with a build of the service: node test/data-folders/make-folder.mjs ROOT OUT [--open-runs] [--kill]
//
// ROOT is a checkout of that build with node_modules and dist/, OUT the gzipped tar to write. What the folder holds is in
// holds.json beside the data, for data-folders. Requests that the build does not know are left out.
import { spawn, execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const [root, out, ...flags] = process.argv.slice(2);
const Database = createRequire(join(resolve(root), 'package.json'))('better-sqlite3');
const data = mkdtempSync(join(tmpdir(), 'folder-'));
const holds = {};
const ports = await Promise.all([0, 1, 2, 3].map(freePort));
const api = `http://127.0.0.1:${ports[0]}`;
const records = `http://127.0.0.1:${ports[1]}`;
const mcp = await serveMcp();
const scopes = 'read,run,memory,records,tools,admin';
if (existsSync(join(root, 'dist/bin/keys.js'))) {
  holds.key = createKey('--name', 'first', '--scopes', scopes);
  const ofTenant = ['--tenant', 'acme', '--user', 'ann'];
  if (flags.includes('--tenant'))
    holds.tenant = createKey('--name', 'second', '--scopes', 'read,memory', ...ofTenant);
}

const service = spawn(process.execPath, ['dist/bin/start.js'], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit'],
  env: {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    TEMPORAL_CLI_PATH: process.env.TEMPORAL_CLI_PATH,
    DATA_DIR: data,
    LOG_LEVEL: 'warn',
    MEMORY_EMBEDDING_PROVIDER: 'lexical',
    TEMPORAL_RETENTION_DAYS: '3650',
    PAYLOAD_THRESHOLD_BYTES: '8192',
    PORT: String(ports[0]),
    RECORDS_PORT: String(ports[1]),
    TEMPORAL_PORT: String(ports[2]),
    TEMPORAL_UI_PORT: String(ports[3]),
    ...(flags.includes('--open-runs') ? { APPROVAL_DEADLINE_MS: '630000000000' } : {}),
  },
});
const ended = new Promise((settle) => service.once('exit', settle));
let isOver = false;
void ended.then(() => (isOver = true));
for (;;) {
  if (isOver) throw new Error('the service ended while it started');
  const health = await fetch(`${api}/api/health`).then(
    (answer) => answer.json(),
    () => undefined,
  );
  if (health?.data?.status === 'healthy') break;
  await delay(100);
}

let last;
async function send(method, url, body) {
  const answer = await fetch(url, {
    method,
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  last = { traceId: answer.headers.get('X-Trace-Id'), workflowId: answer.headers.get('X-Workflow-Id') };
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text.slice(0, 300)}`);
  return JSON.parse(text);
}
const get = (path) => send('GET', `${api}${path}`);
const post = (path, body) => send('POST', `${api}${path}`, body);

/** Notes what the action stored under the name. */
async function hold(name, action) {
  try {
    holds[name] = await action();
  } catch (error) {
    console.log(`left out ${name}: ${error.message}`);
  }
}

await hold('tool', async () => {
  const execute = '({ n }) => n * 2';
  await post('/api/tools/register', {
    name: 'doubled',
    description: 'Twice a number',
    parameters: { n: 'number' },
    execute,
  });
  return 'doubled';
});
await hold('calls', async () => {
  for (const a of [1, 2, 3])
    await post('/api/tools/execute', { toolName: 'calculator', args: { operation: 'add', a, b: 1 } });
  return (await get('/api/tools/stats')).data.totalExecutions;
});
await hold('run', async () => {
  const args = { jsonString: JSON.stringify({ a: 'large '.repeat(3000) }), path: '$.a' };
  await post('/api/tools/execute-multiple', { tools: [{ toolName: 'json_reader', args }] });
  return last;
});
await hold('workflow', async () => {
  const step = {
    id: 'sum',
    type: 'tool_execution',
    config: { toolName: 'calculator', args: { operation: 'add', a: 41, b: 1 } },
  };
  await post('/api/workflow/workflows', {
    id: 'plus-one',
    name: 'Plus one',
    description: 'Adds one',
    steps: [step],
  });
  return 'plus-one';
});
await hold('memories', async () => {
  const common = { userId: 'ann', sessionId: 's-1' };
  const first = await post('/api/memory/episodic', {
    ...common,
    content: 'I live in Leeds.',
    metadata: { tags: ['home'], importance: 0.9 },
  });
  const second = await post('/api/memory/episodic', { ...common, content: 'The heron stood by the canal.' });
  const concept = await post('/api/memory/semantic', {
    userId: 'ann',
    concept: 'heron',
    description: 'A grey bird that waits beside water',
  });
  const child = await post('/api/memory/semantic', {
    userId: 'ann',
    concept: 'egret',
    description: 'A white bird, smaller than a heron',
    relationships: { parent: concept.data.id },
  });
  return { first: first.data.id, second: second.data.id, concept: concept.data.id, child: child.data.id };
});
await hold('languages', async () => {
  const contents = { 绿茶: '我喜欢喝绿茶', ชาเขียว: 'ฉันชอบดื่มชาเขียวทุกเช้า', елка: 'Ёлка уже стоит' };
  for (const content of Object.values(contents))
    await post('/api/memory/episodic', { userId: 'eve', sessionId: content, content });
  return contents;
});
await hold('fact', async () => {
  const { data } = await get('/api/memory/facts/ann');
  return JSON.stringify(data).includes('Leeds') ? 'Leeds' : undefined;
});
await hold('turn', async () => {
  await post('/api/agent/initialize', {});
  const { data } = await post('/api/agent/execute', {
    query: 'My sister is called Mary.',
    options: { userId: 'bea', sessionId: 's-2' },
  });
  return data.response ?? data.message ?? true;
});
await hold('classifications', async () => {
  await post('/api/intent-classifier/initialize', {
    llmConfig: { hostedApiKey: 'sk-planted-for-a-folder', hostedModel: 'a-model' },
  });
  return true;
});
await hold('erasure', async () => {
  await post('/api/memory/episodic', { userId: 'cal', sessionId: 's-3', content: 'Forget me.' });
  const { data } = await send('DELETE', `${api}/api/memory/clear/cal`);
  return data;
});
await hold('records', async () => {
  const address = { city: 'Hull', countryCode: 'GB' };
  await send('POST', `${records}/api/facilities`, { id: 'farm-1', name: 'Farm', kind: 'farm', address });
  await send('POST', `${records}/api/facilities`, { id: 'shop-1', name: 'Shop', kind: 'retailer', address });
  await send('POST', `${records}/api/shipments`, {
    id: 'milk-1',
    originFacilityId: 'farm-1',
    destinationFacilityId: 'shop-1',
    status: 'planned',
    plannedDepartureAt: '2026-12-01T08:00:00Z',
    contents: [{ product: 'milk', quantityKilograms: 10, lot: 'LOT-1' }],
  });
  return 'milk-1';
});
await hold('mcp', async () => {
  await post('/api/mcp-servers', {
    name: 'shop',
    url: mcp.url,
    headers: { 'X-Shop': 'planted-for-a-folder' },
  });
  return mcp.url;
});
if (flags.includes('--open-runs')) {
  const sum = { toolName: 'calculator', args: { operation: 'add', a: 1, b: 2 } };
  await post('/api/tools/register', {
    name: 'asked',
    description: 'Waits for a person',
    parameters: { n: 'number' },
    execute: '({ n }) => n + 1',
    requiresApproval: true,
  });
  const asked = { toolName: 'asked', args: { n: 1 } };
  const steps = [{ id: 'first', type: 'tool_execution', config: asked }];
  const forms = {
    call: ['/api/tools/execute', asked],
    sequence: ['/api/tools/execute-sequential', { tools: [sum, sum, asked, sum] }],
    turn: [
      '/api/agent/execute',
      { query: 'Use asked with n 3.', options: { userId: 'dan', sessionId: 's-4' } },
    ],
    // The workflows of ROOT were changed to sleep first if a workflow has this name.
    unlike: ['/api/workflow/execute-custom', { workflow: { name: 'Unlike', steps } }],
  };
  holds.open = {};
  for (const [name, [path, body]] of Object.entries(forms)) {
    await post(path, body);
    const run = last;
    let own = [];
    while (own.length === 0) {
      const { approvals } = (await get('/api/approvals?status=pending&limit=100')).data;
      own = approvals.filter(({ runId }) => runId === run.traceId).map(({ id }) => id);
    }
    holds.open[name] = { ...run, approvals: own };
  }
}

service.kill(flags.includes('--kill') ? 'SIGKILL' : 'SIGTERM');
await ended;
mcp.close();
if (flags.includes('--kill')) {
  // The server outlives the service, and would go on writing to the folder.
  const record = JSON.parse(readFileSync(join(data, 'temporal.pid'), 'utf8'));
  process.kill((record.server ?? record).pid, 'SIGKILL');
  await delay(1_000);
}
for (const name of ['temporal.log', 'temporal.pid', 'workflow-tasks'])
  rmSync(join(data, name), { recursive: true, force: true });
for (const name of readdirSync(data).filter((file) => file.endsWith('.db'))) {
  if (flags.includes('--kill')) {
    rmSync(join(data, `${name}-shm`), { force: true });
    continue;
  }
  const database = new Database(join(data, name));
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  for (const end of ['-wal', '-shm']) if (existsSync(join(data, name + end))) rmSync(join(data, name + end));
}
writeFileSync(join(data, 'holds.json'), `${JSON.stringify(holds, null, 2)}\n`);
execFileSync('tar', [
  '--sort=name',
  '--owner=0',
  '--group=0',
  '--numeric-owner',
  '-cf',
  `${out}.tar`,
  '-C',
  data,
  '.',
]);
execFileSync('gzip', ['-9nf', `${out}.tar`]);
rmSync(data, { recursive: true });
console.log(holds);

function createKey(...options) {
  const env = { PATH: process.env.PATH, DATA_DIR: data, LOG_LEVEL: 'silent' };
  const args = ['dist/bin/keys.js', 'create', ...options, '--json'];
  const lines = execFileSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' }).trim().split('\n');
  return JSON.parse(lines.at(-1)).key;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((settle) => server.once('listening', settle));
  const { port } = server.address();
  await new Promise((settle) => server.close(settle));
  return port;
}

/** A remote MCP server with one tool, without sessions. */
async function serveMcp() {
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => (text += part));
    request.on('end', () => {
      const { id, method, params } = text === '' ? {} : JSON.parse(text);
      const results = {
        initialize: {
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'shop', version: '1' },
        },
        'tools/list': {
          tools: [
            {
              name: 'find',
              description: 'Finds',
              inputSchema: { type: 'object' },
              annotations: { readOnlyHint: true },
            },
          ],
        },
      };
      if (results[method] === undefined) {
        const body =
          id === undefined
            ? ''
            : JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'unknown' } });
        response.writeHead(id === undefined ? 202 : 200, { 'Content-Type': 'application/json' }).end(body);
      } else {
        response
          .writeHead(200, { 'Content-Type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }));
      }
    });
  }).listen(0, '127.0.0.1');
  await new Promise((settle) => server.once('listening', settle));
  return { url: `http://127.0.0.1:${server.address().port}/mcp`, close: () => server.close() };
}
