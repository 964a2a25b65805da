import type { Approval } from '../../src/contracts/http/approvals';
import { answerOf, ask, initializeAgent } from '../support/agent';
import { answerApproval, approvalsIn, untilEnded } from '../support/approvals';
import { apiPost } from '../support/calls';
import type { Answer } from '../support/http';
import { LEXICAL, newUser } from '../support/memories';
import { type Api, openStage, type Stage } from '../support/stage';
import { endedRun } from '../support/stop-runs';
import { waitFor } from '../support/wait';

/** `npm run test:thorough` asks ten times as many. */
const CASES = process.env['HOLDFAST_TEST_THOROUGH'] === 'yes' ? 200 : 20;

/** Repeats an answer until it is accepted, whichever API takes it. */
const untilAccepted = (at: () => Api, approval: Approval, decision: string): Promise<unknown> =>
  waitFor(
    async () => (await answerApproval(at(), approval, { decision }).catch(() => undefined))?.status === 200,
    { what: 'the answer to be accepted' },
  );

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

test('whatever is killed around an answer: an approved call is sent once, and a denied one is not', async () => {
  let worker = await stage.worker();
  let api = await stage.api();
  const options = { approval: { tools: 'all' } };
  const asked = await Promise.all(
    Array.from({ length: CASES }, async (_, n) => {
      const path = `/pay/${n}`;
      const answer = await api.post('/api/tools/execute', { ...apiPost(stage.peer.url + path), options });
      const [approval] = approvalsIn(answer);
      return { path, approval: approval!, run: answer.body.data, decision: n % 2 ? 'approve' : 'deny' };
    }),
  );
  await Promise.all([worker.kill(), api.process.kill()]);
  [worker, api] = await Promise.all([stage.worker(), stage.api()]);

  const answers = asked.map((one) => untilAccepted(() => api, one.approval, one.decision));
  // The first answers are under way now.
  await Promise.race(answers);
  await Promise.all([worker.kill(), api.process.kill()]);
  [, api] = await Promise.all([stage.worker(), stage.api()]);
  await Promise.all(answers);

  for (const { path, run, decision } of asked) {
    const { body } = await endedRun(api, run);
    const sent = stage.peer.count(path);
    if (decision === 'deny') expect([path, body.data.error.code, sent]).toEqual([path, 'APPROVAL_DENIED', 0]);
    // A worker that was killed around the request cannot say whether it was sent, so it is not sent again.
    else if (body.data.status === 'completed') expect([path, sent]).toEqual([path, 1]);
    else expect([path, body.data.error.code, sent <= 1]).toEqual([path, 'TOOL_TIMEOUT', true]);
  }
  const completed = asked.filter(({ path }) => stage.peer.count(path) === 1);
  expect(completed.length).toBeGreaterThan(0);
});

test('a turn that waits outlives its API and its worker: its session keeps waiting, and its call is made once', async () => {
  const worker = await stage.worker(LEXICAL);
  let api = await stage.api(LEXICAL);
  await initializeAgent(api);
  const userId = newUser();
  const key = { 'idempotency-key': 'fetch-once' };
  const query = `fetch ${stage.peer.url}/once`;
  const turn = (): Promise<Answer> => ask(api, query, { userId, approval: { tools: 'all' } }, key);
  const [approval] = approvalsIn(await turn());

  await Promise.all([worker.kill(), api.process.kill()]);
  [api] = await Promise.all([stage.api(LEXICAL), stage.worker(LEXICAL)]);
  expect(approvalsIn(await turn())).toEqual([approval]);
  const refused = await ask(api, 'What is 2 times 2?', { userId });
  expect([refused.status, refused.body.details.approvals]).toEqual([409, [approval]]);
  expect(stage.peer.count('/once')).toBe(0);

  // A worker that has just started may take the answer only after the limit of the request, which is a 503 then.
  await untilAccepted(() => api, approval!, 'approve');
  const { status, body } = await untilEnded(turn);
  expect([status, body.data.toolResults]).toMatchObject([200, [{ toolName: 'api_call', success: true }]]);
  expect(stage.peer.count('/once')).toBe(1);
  expect((await answerOf(ask(api, 'What is 2 times 2?', { userId }))).response).toContain('4');
});
