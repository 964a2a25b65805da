import { type Attack, repeat } from './attack';

const SERVERS = '/api/mcp-servers';
const PER_TOOL = 8;
/** For this text the pattern of the peer's tools backtracks for hours. */
const BACKTRACKING = `${'a'.repeat(60)}!`;
const DEPTHS = [1_000, 2_000, 1_500, 500, 20_000, 200_000];

/** Remote MCP servers of the attacker. */
export const serverAttacks: readonly Attack[] = [
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
