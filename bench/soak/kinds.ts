import { type BenchService, ONE_CALL, ONE_SENTENCE, THREE_STEPS } from '../service';
import { readData, runImport } from '../run-import';

/** Sends one kind of request that starts a run. `n` counts the requests of all kinds, from 1. */
export type RunKind = (n: number) => Promise<unknown>;

/**
 * How many requests a user makes before an erasure removes the data. The erasures keep the size of the stores
 * constant.
 */
const REQUESTS_A_USER = 60;
/** A value above PAYLOAD_THRESHOLD_BYTES, so that it is stored by reference. */
const LARGE = 'x'.repeat(40_000);
const QUERIES = [
  'Hello there, how are you?',
  'I bought a blue bicycle',
  'What did I buy?',
  'What is 15 times 7?',
];
const REGISTERED = {
  name: 'doubled',
  description: 'Twice a number',
  parameters: { value: 'number' },
  execute: '({ value }) => value * 2',
};

/** Initializes the areas and registers the tool that the requests of `runKinds` need. */
export async function prepareKinds({ post }: BenchService): Promise<void> {
  await post('/api/agent/initialize', {});
  await post('/api/memory-chat/initialize', {});
  await post('/api/intent-classifier/initialize', {});
  await post('/api/tools/register', REGISTERED);
}

const ROWS_AN_IMPORT = 3;

/** Lists requests for every workflow type that callers can start. The peer at `peerUrl` answers JSON at once. */
export function runKinds({ post, url, recordsUrl }: BenchService, peerUrl: string): readonly RunKind[] {
  const user = (n: number): string => `user-${Math.floor(n / REQUESTS_A_USER)}`;
  const session = (n: number) => ({ userId: user(n), sessionId: `session-${n % 7}` });
  const query = (n: number): string => QUERIES[n % QUERIES.length] as string;
  const fetched = { toolName: 'api_call', args: { url: peerUrl } };
  const large = { toolName: 'api_call', args: { url: peerUrl, method: 'POST', body: { large: LARGE } } };
  const sandboxed = { toolName: REGISTERED.name, args: { value: 21 } };
  const listed = {
    workflow: {
      name: 'soak',
      steps: [
        {
          id: 'each',
          type: 'tool_execution',
          forEach: { items: [1, 2, 3, 4, 5], concurrency: 5 },
          config: { toolName: REGISTERED.name, args: { value: '{{item}}' } },
        },
      ],
    },
  };
  const predefined = { workflowId: 'fetch-and-extract', inputs: { url: peerUrl, path: '$.ok' } };
  const batch = { queries: QUERIES.map((text, at) => ({ id: String(at), query: text })) };
  return [
    () => post('/api/tools/execute', ONE_CALL),
    () => post('/api/tools/execute', fetched),
    () => post('/api/tools/execute', large),
    () => post('/api/tools/execute', sandboxed),
    () => post('/api/tools/execute-multiple', { tools: [ONE_CALL, fetched, sandboxed] }),
    () => post('/api/tools/execute-sequential', { tools: [ONE_CALL, sandboxed] }),
    () => post('/api/tools/execute-with-llm', { ...ONE_SENTENCE, toolName: ONE_CALL.toolName }),
    () => post('/api/tools/mcp', ONE_SENTENCE),
    () => post('/api/workflow/execute', ONE_SENTENCE),
    () => post('/api/workflow/execute-custom', THREE_STEPS),
    () => post('/api/workflow/execute-custom', listed),
    () => post('/api/workflow/execute-custom', predefined),
    (n) => post('/api/agent/execute', { query: query(n), options: session(n) }),
    (n) => post('/api/agent/execute', { query: query(n + 1), options: session(n) }),
    (n) => post('/api/memory-chat/chat', { message: query(n), ...session(n) }),
    () => post('/api/intent-classifier/classify-batch', batch),
    (n) => importFacilities(recordsUrl, n),
    // Erases a user whose last request was some time ago.
    (n) => readData(`${url}/api/memory/clear/${user(n - 2 * REQUESTS_A_USER)}`, { method: 'DELETE' }),
  ];
}

async function importFacilities(recordsUrl: string, n: number): Promise<void> {
  const rows = Array.from({ length: ROWS_AN_IMPORT }, (_, row) => ({
    collection: 'facilities',
    id: `soak-${n}-${row}`,
    name: `Facility ${n}`,
    kind: 'farm',
    address: { city: 'Lyon', countryCode: 'FR' },
  }));
  const { created, id } = await runImport(recordsUrl, rows.map((row) => JSON.stringify(row)).join('\n'));
  if (created !== rows.length) throw new Error(`the import ${id} created ${created} of ${rows.length} rows`);
}
