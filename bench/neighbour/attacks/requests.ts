import { randomBytes } from 'node:crypto';
import { type Attack, repeat } from './attack';

const NAMES = 80_000;
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'flood', version: '1.0.0' },
  },
};
const MCP_HEADERS = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' };
/** How long the readers of event streams stay. */
const READING_MS = 2_000;

/** A well-formed key with this id and a random secret. */
const wrongKey = (id: string): string => `hfast_${id}_${randomBytes(32).toString('base64url')}`;

/** Many or large requests that start little. The amount is that of requests. */
export const requestAttacks: readonly Attack[] = [
  {
    name: `bodies of 1 MB with ${NAMES.toLocaleString('en')} names`,
    amount: { few: 6, all: 20 },
    send({ send }, amount) {
      const args = Object.fromEntries(Array.from({ length: NAMES }, (_, n) => [`k${n}`, 1]));
      const body = JSON.stringify({ toolName: 'calculator', args });
      return repeat(amount, () => send('POST', '/api/tools/execute', { body }));
    },
  },
  {
    name: 'readers of event streams',
    amount: { few: 500, all: 1_000 },
    async send({ ask, send, peer, signal }, amount) {
      const waiting = { toolName: 'api_call', args: { url: peer.silent } };
      const { traceId } = await ask<{ traceId: string }>('/api/tools/execute', waiting, {
        prefer: 'respond-async',
      });
      const over = AbortSignal.any([signal, AbortSignal.timeout(READING_MS)]);
      const headers = { accept: 'text/event-stream' };
      await repeat(amount, () => send('GET', `/api/runs/${traceId}/events`, { headers, over }));
      await send('POST', `/api/runs/${traceId}/cancel`);
    },
  },
  {
    name: 'initializations of MCP clients',
    amount: { few: 400, all: 1_200 },
    send: ({ send }, amount) =>
      repeat(amount, () => send('POST', '/mcp', { body: INITIALIZE, headers: MCP_HEADERS }), 50),
  },
  {
    name: 'memories of 10,000 characters',
    amount: { few: 60, all: 400 },
    send({ send }, amount) {
      const content = 'I swapped my bike for a boat, and I live in Leeds. '.repeat(200).slice(0, 10_000);
      const body = { userId: 'hoarder', sessionId: 'one', content };
      return repeat(amount, () => send('POST', '/api/memory/episodic', { body }), 20);
    },
  },
  {
    // Half of them have the id of a key of the quiet tenant.
    name: 'wrong keys',
    amount: { few: 60, all: 60 },
    withNewKeys: true,
    send: ({ send, quietKeyId }, amount) =>
      repeat(amount, (n) => {
        const id = n % 2 === 0 ? randomBytes(8).toString('hex') : quietKeyId;
        return send('GET', '/api/tools', { headers: { authorization: `Bearer ${wrongKey(id)}` } });
      }),
  },
];
