import { setTimeout as delay } from 'node:timers/promises';
import { type Attack, repeat } from './attack';
import { largeValueAttacks } from './large-values';
import { requestAttacks } from './requests';
import { sentenceAttacks } from './sentences';

const EXECUTE = '/api/tools/execute';
const ENDLESS = {
  name: 'endless',
  description: 'Never ends',
  parameters: {},
  execute: '() => { for (;;); }',
};
const SLOW_NAMES_MS = 2_000;
/** How many calls hog the sandbox at once. */
const HOGS = 8;
/** Tools that take threads: of the sandbox, or of look-ups of names. */
const toolAttacks: readonly Attack[] = [
  {
    name: 'calls of names whose servers do not answer, in one request',
    amount: { few: 50, all: 50 },
    send({ send }, amount) {
      const tools = Array.from({ length: amount }, (_, n) => ({
        toolName: 'api_call',
        args: { url: `http://slow${n}.test/` },
      }));
      return send('POST', '/api/tools/execute-multiple', {
        body: { tools, options: { timeout: SLOW_NAMES_MS } },
      });
    },
  },
  {
    // The amount is that of seconds for which each call may run.
    name: 'JSONPath queries with a pattern that backtracks',
    amount: { few: 6, all: 30 },
    send({ send }, seconds) {
      const args = { jsonString: JSON.stringify(['a'.repeat(41)]), path: "$[?match(@, '(a+)+b')]" };
      const body = { toolName: 'json_reader', args, options: { timeout: seconds * 1_000 } };
      return repeat(HOGS, () => send('POST', EXECUTE, { body }));
    },
  },
  {
    name: 'registered tools that never end',
    amount: { few: 6, all: 30 },
    async send({ ask, send }, seconds) {
      await ask('/api/tools/register', ENDLESS);
      const body = { toolName: ENDLESS.name, args: {}, options: { timeout: seconds * 1_000 } };
      await repeat(HOGS, () => send('POST', EXECUTE, { body }));
    },
  },
];

const SERVERS = '/api/mcp-servers';
const PER_TOOL = 8;
/** For this text the pattern of the peer's tools backtracks for hours. */
const BACKTRACKING = `${'a'.repeat(60)}!`;
const DEPTHS = [1_000, 2_000, 1_500, 500, 20_000, 200_000];
/** Remote MCP servers of the attacker. */
const serverAttacks: readonly Attack[] = [
  {
    name: 'MCP servers with deep lists, added',
    amount: { few: 3, all: DEPTHS.length },
    async send({ send, peer }, amount) {
      for (const depth of DEPTHS.slice(0, amount))
        await send('POST', SERVERS, { body: { name: `deep-${depth}`, url: peer.deepMcp(depth) } });
    },
  },
  {
    name: 'MCP servers whose lists become deep, refreshed',
    amount: { few: 2, all: DEPTHS.length },
    async send({ ask, send, peer }, amount) {
      for (const depth of DEPTHS.slice(0, amount)) {
        const name = `later-${depth}`;
        await ask(SERVERS, { name, url: peer.laterDeepMcp(depth) });
        await send('POST', `${SERVERS}/${name}/refresh`);
      }
    },
  },
  {
    name: 'calls of MCP tools whose schemas backtrack',
    amount: { few: 1, all: 4 },
    async send({ ask, send, peer }, amount) {
      for (let n = 0; n < amount; n += 1) {
        await ask(SERVERS, { name: `slow-${n}`, url: peer.backtrackingMcp });
        const body = { toolName: `slow-${n}.asks`, args: { text: BACKTRACKING } };
        await repeat(PER_TOOL, () => send('POST', '/api/tools/execute', { body }));
      }
    },
  },
];

/** What one tenant may send to stop the others. */
export const ATTACKS: readonly Attack[] = [
  ...serverAttacks,
  ...sentenceAttacks,
  ...toolAttacks,
  ...largeValueAttacks,
  ...requestAttacks,
];

/** What all others are compared with. The amount is that of seconds. */
export const NO_ATTACK: Attack = {
  name: 'nothing',
  amount: { few: 5, all: 10 },
  send: ({ signal }, seconds) => delay(seconds * 1_000, undefined, { signal }),
};
