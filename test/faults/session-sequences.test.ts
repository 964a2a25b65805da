import { randomSequences } from '../support/session-turns/commands';
import { runSequence } from '../support/session-turns/sequence';
import { openTurnStage, type TurnStage } from '../support/session-turns/stage';

const SEQUENCES = Number(process.env['HOLDFAST_TEST_SESSION_SEQUENCES'] ?? 20);
const SEED = Number(process.env['HOLDFAST_TEST_SESSION_SEED'] ?? Date.now() % 2 ** 31);
/** The number of sessions at once; they wait for most of their time. */
const AT_ONCE = 10;
const LIMIT_EACH_MS = 60_000;

jest.setTimeout(120_000 + SEQUENCES * LIMIT_EACH_MS);

let stage: TurnStage;

beforeAll(async () => {
  stage = await openTurnStage();
});
afterAll(() => stage.close());

test(`turns of a session never overlap and begin in the order of their requests, in ${SEQUENCES} random sequences`, async () => {
  const sequences = [...randomSequences(SEQUENCES, SEED).entries()];
  const problems: string[] = [];
  const lane = async (): Promise<void> => {
    for (let next = sequences.shift(); next !== undefined; next = sequences.shift()) {
      const [at, commands] = next;
      for (const problem of await runSequence(stage, commands)) {
        problems.push(`sequence ${at} of seed ${SEED}: ${problem}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  expect(problems).toEqual([]);
});
