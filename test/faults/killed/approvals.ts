import type { Approval } from '../../../src/contracts/http/approvals';
import { answerOf, ask, initializeAgent } from '../../support/agent';
import { answerApproval, approvalsIn, untilEnded } from '../../support/approvals';
import { apiPost } from '../../support/calls';
import type { Answer } from '../../support/http';
import { newUser } from '../../support/memories';
import { endedRun } from '../../support/stop-runs';
import { waitFor } from '../../support/wait';
import type { Ground, Work } from './work';

/** `npm run test:thorough` asks ten times as many. */
const CASES = process.env['HOLDFAST_TEST_THOROUGH'] === 'yes' ? 200 : 20;

/** Repeats an answer until it is accepted, whichever API takes it. */
const untilAccepted = (on: Ground, approval: Approval, decision: string): Promise<unknown> =>
  waitFor(
    async () => (await answerApproval(on.api, approval, { decision }).catch(() => undefined))?.status === 200,
    { what: 'the answer to be accepted' },
  );

export const waitingTurn: Work = {
  name: 'a turn that waits for a person keeps its session waiting, and its call is made once',
  async begin(on) {
    const { peer } = on.stage;
    await initializeAgent(on.api);
    const userId = newUser();
    const key = { 'idempotency-key': 'fetch-once' };
    const query = `fetch ${peer.url}/once`;
    const model = 'builtin';
    const turn = (): Promise<Answer> =>
      ask(on.api, query, { userId, model, approval: { tools: 'all' } }, key);
    const [approval] = approvalsIn(await turn());
    return {
      async resume() {
        expect(approvalsIn(await turn())).toEqual([approval]);
        const refused = await ask(on.api, 'What is 2 times 2?', { userId, model });
        expect([refused.status, refused.body.details.approvals]).toEqual([409, [approval]]);
        expect(peer.count('/once')).toBe(0);
        // A worker that has just started may take the answer only after the limit of the request, which is a 503 then.
        await untilAccepted(on, approval!, 'approve');
        const { status, body } = await untilEnded(turn);
        expect([status, body.data.toolResults]).toMatchObject([
          200,
          [{ toolName: 'api_call', success: true }],
        ]);
      },
      async holds() {
        expect(peer.count('/once')).toBe(1);
        const next = await answerOf(ask(on.api, 'What is 2 times 2?', { userId, model }));
        expect(next.response).toContain('4');
      },
    };
  },
};

export const approvedCalls: Work = {
  name: 'an approved call is sent once, and a denied one is not, also where they die again around the answers',
  async begin(on) {
    const { peer } = on.stage;
    const options = { approval: { tools: 'all' } };
    const asked = await Promise.all(
      Array.from({ length: CASES }, async (_, n) => {
        const path = `/pay/${n}`;
        const answer = await on.api.post('/api/tools/execute', { ...apiPost(peer.url + path), options });
        const [approval] = approvalsIn(answer);
        return { path, approval: approval!, run: answer.body.data, decision: n % 2 ? 'approve' : 'deny' };
      }),
    );
    return {
      async resume() {
        const answers = asked.map(({ approval, decision }) => untilAccepted(on, approval, decision));
        // The first answers are under way now.
        await Promise.race(answers);
        await Promise.all([on.workers.at(-1)?.kill(), on.killApi()]);
        await Promise.all([on.startWorker(), on.startApi()]);
        await Promise.all(answers);
      },
      async holds() {
        for (const { path, run, decision } of asked) {
          const { body } = await endedRun(on.api, run);
          const sent = peer.count(path);
          if (decision === 'deny')
            expect([path, body.data.error.code, sent]).toEqual([path, 'APPROVAL_DENIED', 0]);
          // A worker that was killed around the request cannot say whether it was sent, so it is not sent again.
          else if (body.data.status === 'completed') expect([path, sent]).toEqual([path, 1]);
          else expect([path, body.data.error.code, sent <= 1]).toEqual([path, 'TOOL_TIMEOUT', true]);
        }
        expect(asked.filter(({ path }) => peer.count(path) === 1).length).toBeGreaterThan(0);
      },
    };
  },
};
