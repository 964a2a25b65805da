import { answerOf, ask, initializeAgent } from '../support/agent';
import { answerApproval, approvalsIn, untilEnded } from '../support/approvals';
import { newUser } from '../support/memories';
import { hangs, type ModelRequest, type ModelServer, startModelServer } from '../support/model-server';
import { fetches, hostedBy } from '../support/model-service';
import { listRuns } from '../support/runs';
import { openStage, type Stage } from '../support/stage';
import { startStubPeer, type StubPeer } from '../support/stub-peer';
import { asksAgent, playsTeam, putAgent } from '../support/team-of-agents';
import { waitFor } from '../support/wait';

/** How often a model is asked in a turn whose agent calls another one, which calls a tool: twice for each plan, once for each intent. */
const REQUESTS = 6;

let stage: Stage;
let model: ModelServer;
let peer: StubPeer;
const served: string[] = [];

beforeAll(async () => {
  stage = await openStage();
  model = await startModelServer();
  peer = await startStubPeer(({ path }, response) => {
    served.push(path);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ path }));
  });
});
afterAll(async () => {
  await stage.close();
  await Promise.all([model.close(), peer.close()]);
});

const addressOf = (turn: string): string => `${peer.url}/lamps/${turn}`;

/** The turn that a request is of. */
function turnIn({ body }: ModelRequest): string {
  return /turn (\d+)/.exec(JSON.stringify(body.messages.findLast(({ role }) => role === 'user')))?.[1] ?? '';
}

test('turns that call others end as they would, with each call made once, wherever their worker is killed', async () => {
  const settings = { ...hostedBy(model), OPENAI_MODEL: 'gpt-4o-mini' };
  const [api, worker] = await Promise.all([stage.api(settings), stage.worker(settings)]);
  await initializeAgent(api);
  await putAgent(api, 'lead', { agents: ['stock'] });
  await putAgent(api, 'stock', { tools: ['api_call'] });
  await putAgent(api, 'desk', { agents: ['guarded'] });
  await putAgent(api, 'guarded', { approval: { tools: ['api_call'] } });

  const seen = new Map<string, number>();
  const held: string[] = [];
  model.otherwise((request, response) => {
    const turn = turnIn(request);
    const count = (seen.get(turn) ?? 0) + 1;
    seen.set(turn, count);
    // The first turn is held at its first request, the second at its second, and so on.
    if (count === Number(turn) && !held.includes(turn)) {
      held.push(turn);
      return hangs()(request, response);
    }
    const team = playsTeam({
      lead: { calls: [asksAgent('stock', `turn ${turn}: count the lamps`)], says: `Lead of ${turn}.` },
      stock: { calls: [fetches(addressOf(turn))], says: `Stock of ${turn}.` },
      desk: { calls: [asksAgent('guarded', `turn ${turn}: count the lamps`)], says: `Desk of ${turn}.` },
      guarded: { calls: [fetches(addressOf(turn))], says: `Guarded of ${turn}.` },
    });
    return team(request, response);
  });

  const turns = Array.from({ length: REQUESTS }, (_, index) => String(index + 1));
  const answering = turns.map((turn) =>
    answerOf(
      ask(api, `turn ${turn}: see ${addressOf(turn)}`, {
        userId: newUser(),
        agent: 'lead',
        includeMemoryContext: false,
      }),
    ),
  );
  // One turn waits for a person, whom the turn that it has called asks.
  const guarded = { 'idempotency-key': 'guarded' };
  const about = { userId: newUser(), agent: 'desk', includeMemoryContext: false };
  const askGuarded = () => ask(api, `turn 99: see ${addressOf('99')}`, about, guarded);
  const [approval] = approvalsIn(await askGuarded());
  await waitFor(() => held.length === REQUESTS, {
    what: 'every turn to be held at its request',
  });
  await worker.kill();
  await stage.worker(settings);

  const answers = await Promise.all(answering);
  expect(answers.map(({ response, toolResults }) => [response, toolResults[0].result])).toEqual(
    turns.map((turn) => [`Lead of ${turn}.`, `Stock of ${turn}.`]),
  );
  expect([...served].sort()).toEqual(turns.map((turn) => `/lamps/${turn}`));
  await answerApproval(api, approval!, { decision: 'approve' });
  expect(await answerOf(untilEnded(askGuarded))).toMatchObject({ response: 'Desk of 99.' });
  expect(served.filter((path) => path === '/lamps/99')).toHaveLength(1);
  // Each request came once, and the one at which its worker was killed twice.
  expect(Object.fromEntries(seen)).toEqual({
    ...Object.fromEntries(turns.map((turn) => [turn, REQUESTS + 1])),
    99: REQUESTS,
  });
  await waitFor(
    async () =>
      (await listRuns(stage.client, stage.taskQueue)).filter(({ type }) => type === 'agentTurn').length ===
      2 * (REQUESTS + 1),
    {
      what: 'two runs for each turn',
    },
  );
});
