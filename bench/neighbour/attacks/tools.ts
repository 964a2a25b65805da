import { type Attack, repeat } from './attack';

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
export const toolAttacks: readonly Attack[] = [
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
