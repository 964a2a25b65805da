import { randomUUID } from 'node:crypto';
import { answerOf, ask, initializeAgent, playsAgent, purposeOf } from '../support/agent';
import { answerApproval, approvalsIn, untilEnded } from '../support/approvals';
import type { Answer } from '../support/http';
import { LEXICAL, newUser } from '../support/memories';
import { callsTools, type ModelServer, says, startModelServer } from '../support/model-server';
import { hostedBy, offeredIn, outcomesIn } from '../support/model-service';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

const STOCK_OF = {
  name: 'stock_of',
  description: 'How many pieces of an item are in stock',
  inputSchema: { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] },
};

let stage: Stage;
let model: ModelServer;
let api: Api;
const settings = (): Record<string, string> => ({ ...LEXICAL, ...hostedBy(model) });

beforeAll(async () => {
  stage = await openStage();
  model = await startModelServer();
  api = await stage.allInOne(settings());
  await initializeAgent(api);
});
beforeEach(() => model.reset());
afterAll(async () => {
  await stage.close();
  await model.close();
});

/** A turn under a key of its own, so that it can be asked for again. */
function turnWith(options: object, query = 'How many lamps are in stock?'): () => Promise<Answer> {
  const key = randomUUID();
  const about = { userId: newUser(), callerTools: [STOCK_OF], ...options };
  return () => ask(api, query, about, { 'idempotency-key': key });
}

/** The model calls the caller's tool once, and says what came of it. */
function playsClerk(): void {
  model.otherwise(
    playsAgent({
      plan(request, response) {
        const [outcome] = outcomesIn(request);
        const next =
          outcome === undefined
            ? callsTools([{ name: 'stock_of', args: { item: 'lamp' } }])
            : says(`I read: ${outcome}`);
        return next(request, response);
      },
    }),
  );
}

test('a run waits for the output of a tool that the caller runs, also while the service is killed and starts again', async () => {
  playsClerk();
  const turn = turnWith({ tools: [] });
  const [call] = approvalsIn(await turn());
  expect(call).toMatchObject({ kind: 'output', toolName: 'stock_of', args: { item: 'lamp' }, step: '1' });
  expect(offeredIn(model.requests.find((one) => purposeOf(one) === 'plan'))).toEqual(['stock_of']);
  await api.process.kill();
  api = await stage.allInOne(settings());
  const output = { pieces: 7, shelf: 'B' };
  // The next worker takes the run over within seconds; until then the answer is a 503.
  const answered = await waitFor(
    async () => {
      const answer = await answerApproval(api, call!, { decision: 'approve', output });
      return answer.status === 503 ? undefined : answer;
    },
    { what: 'the output to be taken' },
  );
  expect(answered.body.data).toMatchObject({ status: 'approved', kind: 'output' });
  expect(answered.body.data).not.toHaveProperty('outputDigest');
  const { data } = (await untilEnded(turn)).body;
  expect(data.response).toBe('I read: {"pieces":7,"shelf":"B"}');
  expect(data.toolResults).toMatchObject([{ toolName: 'stock_of', success: true, result: output }]);
  // The first output counts.
  expect((await answerApproval(api, call!, { decision: 'approve', output })).status).toBe(200);
  expect((await answerApproval(api, call!, { decision: 'approve', output: 8 })).status).toBe(409);
});

test('the model reads that the caller reports a failure, or sends no output in time', async () => {
  playsClerk();
  const failureIn = async (turn: () => Promise<Answer>): Promise<string> => {
    const { toolResults } = await answerOf(untilEnded(turn));
    expect(toolResults).toMatchObject([{ toolName: 'stock_of', success: false }]);
    return outcomesIn(model.requests.findLast((one) => purposeOf(one) === 'plan'))[0] ?? '';
  };
  const failing = turnWith({});
  const [call] = approvalsIn(await failing());
  await answerApproval(api, call!, { decision: 'deny', comment: 'the shelf is locked' });
  expect(await failureIn(failing)).toContain('the shelf is locked');
  const late = turnWith({ approval: { tools: ['calculator'], deadlineMs: 1_000, onDeadline: 'approve' } });
  approvalsIn(await late());
  expect(await failureIn(late)).toContain('the caller sent no output in time');
});

test('the rules call a tool of the caller that a message names, and answer with its output', async () => {
  const turn = turnWith({ model: 'builtin' }, 'call stock_of for item lamp');
  const [call] = approvalsIn(await turn());
  expect(call).toMatchObject({ kind: 'output', toolName: 'stock_of', args: { item: 'lamp' } });
  await answerApproval(api, call!, { decision: 'approve', output: { pieces: 7, shelf: 'B' } });
  const { response } = (await untilEnded(turn)).body.data;
  expect(response).toContain('7');
  expect(response).toContain('B');
});

test('a tool of the caller hides no other one, and an output belongs to a call of one', async () => {
  const refused = async (options: object): Promise<unknown> => {
    const { status, body } = await turnWith(options)();
    return [status, body.message];
  };
  const named = (name: string) => ({ ...STOCK_OF, name });
  expect(await refused({ callerTools: [named('calculator')] })).toEqual([
    400,
    expect.stringContaining('the service has a tool named "calculator"'),
  ]);
  expect(await refused({ callerTools: [named('agent_x')] })).toEqual([400, expect.any(String)]);
  expect(await refused({ callerTools: [STOCK_OF, STOCK_OF] })).toEqual([
    400,
    expect.stringContaining('two tools of one name'),
  ]);
  playsClerk();
  const [call] = approvalsIn(await turnWith({})());
  for (const answer of [
    { decision: 'approve' },
    { decision: 'approve', args: { item: 'desk' } },
    { decision: 'deny', output: 1 },
    { decision: 'approve', output: 1, budget: { maxToolCalls: 5 } },
  ])
    expect([answer, (await answerApproval(api, call!, answer)).status]).toEqual([answer, 400]);
  expect((await answerApproval(api, call!, { decision: 'approve', output: null })).status).toBe(200);
});

test('a call of a tool of the caller is asked of no person first', async () => {
  playsClerk();
  const turn = turnWith({ approval: { tools: 'all' } });
  const [call] = approvalsIn(await turn());
  expect(call?.kind).toBe('output');
  await answerApproval(api, call!, { decision: 'approve', output: 'none' });
  expect(await answerOf(untilEnded(turn))).toMatchObject({ response: 'I read: "none"' });
});
