import { type Attack, repeat } from './attack';

const CUSTOM = '/api/workflow/execute-custom';
const MULTIPLE = '/api/tools/execute-multiple';
/** Those that a workflow makes at a time at most. */
const CONCURRENCY = 50;
/** A large run has 3.9 MB in each of its steps, so 16 of them are nearly all that a run may keep. */
const MAX_STEPS = 16;
const READERS_A_STEP = 4;

/** Large values of runs and of answers. */
export const largeValueAttacks: readonly Attack[] = [
  {
    // The amount is that of readers; the run grows with it.
    name: 'readers of a large run and of its events, at once',
    amount: { few: 16, all: 60 },
    async send({ ask, send, peer, signal }, amount) {
      const steps = Array.from(
        { length: Math.min(MAX_STEPS, Math.ceil(amount / READERS_A_STEP)) },
        (_, n) => ({
          id: `large_${n}`,
          type: 'api_call',
          config: { url: peer.large },
          dependsOn: [],
        }),
      );
      const workflow = { name: 'large', steps };
      const accepted = await ask<{ traceId: string }>(CUSTOM, { workflow }, { prefer: 'respond-async' });
      const run = `/api/runs/${accepted.traceId}`;
      while (!signal.aborted && (await send('GET', `${run}/wait?timeout=20`)) === 202);
      await repeat(amount, (n) => send('GET', n % 2 === 0 ? run : `${run}/events`));
    },
  },
  {
    name: 'a workflow over answers of 4 MB with 240,000 names',
    amount: { few: 100, all: 1_000 },
    send({ send, peer }, amount) {
      const items = Array.from({ length: amount }, (_, n) => n);
      const step = {
        id: 'each',
        type: 'api_call',
        config: { url: peer.names },
        forEach: { items, concurrency: CONCURRENCY },
      };
      return send('POST', CUSTOM, { body: { workflow: { name: 'names', steps: [step] } } });
    },
  },
  {
    name: 'answers of 4 MB at once: lists, names and nesting',
    amount: { few: 12, all: 50 },
    send({ send, peer }, amount) {
      const urls = [peer.list, peer.names, peer.nested];
      const tools = Array.from({ length: amount }, (_, n) => ({
        toolName: 'api_call',
        args: { url: urls[n % 3] },
      }));
      return send('POST', MULTIPLE, { body: { tools } });
    },
  },
  {
    // The amount is that of calls of each kind, of 2 s each.
    name: 'answers without an end, floods and bombs of gzip',
    amount: { few: 4, all: 16 },
    send({ send, peer }, amount) {
      const urls = [peer.endless, peer.flood, peer.bomb];
      const tools = Array.from({ length: amount * 3 }, (_, n) => ({
        toolName: 'api_call',
        args: { url: urls[n % 3] },
      }));
      return send('POST', MULTIPLE, { body: { tools, options: { timeout: 2_000 } } });
    },
  },
];
