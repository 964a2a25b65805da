import { randomUUID } from 'node:crypto';
import { ask, answerOf, initializeAgent, purposeOf, textsIn } from '../support/agent';
import { answerApproval, approvalsIn, untilEnded, untilListed } from '../support/approvals';
import { type Answer, request } from '../support/http';
import { newUser } from '../support/memories';
import { hangs } from '../support/model-server';
import {
  calculates,
  fetches,
  outcomesIn,
  type OwnModelService,
  offeredIn,
  startModelService,
} from '../support/model-service';
import { agentIn, asksAgent, playsTeam, putAgent } from '../support/team-of-agents';
import { waitFor } from '../support/wait';

let service: OwnModelService;

beforeAll(async () => {
  service = await startModelService({ OPENAI_MODEL: 'gpt-4o-mini', PLANNER_ALLOW_HOSTS: '' });
  await initializeAgent(service);
});
beforeEach(() => service.hosted.reset());
afterAll(() => service.stop());

/** A turn of an agent, under a key of its own, so that it can be asked for again. */
function turnOf(agent: string, options: object = {}): () => Promise<Answer> {
  const key = randomUUID();
  const userId = newUser();
  const about = { userId, agent, includeMemoryContext: false, ...options };
  return () => ask(service, 'How many lamps are there?', about, { 'idempotency-key': key });
}

const record = async (traceId: string) => (await service.get(`/api/runs/${traceId}`)).body.data;

async function eventsOf(traceId: string) {
  const url = `${service.url}/api/runs/${traceId}/events`;
  return (await request(url, { headers: { accept: 'application/json' } })).body.data.events;
}

/** The requests by which an agent was asked which tools to run. */
const plansOf = (agent: string) =>
  service.hosted.requests.filter((one) => agentIn(one) === agent && purposeOf(one) === 'plan');

test('an agent has another one work for it, in a run of its own that the run of the first one shows', async () => {
  await putAgent(service, 'lead', { agents: ['stock'] });
  await putAgent(service, 'stock', { tools: ['calculator'] });
  service.hosted.otherwise(
    playsTeam({
      lead: { calls: [asksAgent('stock', 'Count the lamps')], says: 'There are seven.' },
      stock: { calls: [calculates('add', 3, 4)], says: 'I count 7 lamps.' },
    }),
  );
  const userId = newUser();
  const answer = await turnOf('lead', { userId })();
  const data = await answerOf(Promise.resolve(answer));
  expect(data).toMatchObject({
    response: 'There are seven.',
    toolResults: [
      {
        toolName: 'agent_stock',
        args: { query: 'Count the lamps' },
        success: true,
        result: 'I count 7 lamps.',
      },
    ],
    // Both turns: classified, planned twice.
    usage: { modelCalls: 6, toolCalls: 2 },
  });
  const plans = service.hosted.requests.filter((one) => purposeOf(one) === 'plan');
  expect(plans.map((one) => [agentIn(one), offeredIn(one).includes('agent_stock')])).toEqual([
    ['lead', true],
    ['stock', false],
    ['stock', false],
    ['lead', true],
  ]);
  expect(outcomesIn(plans.at(-1))).toEqual(['"I count 7 lamps."']);

  const traceId = answer.headers.get('x-trace-id') ?? '';
  const { steps, workflowId } = await record(traceId);
  const step = steps.find(({ id }: { id: string }) => id === '1');
  expect(step).toMatchObject({ name: 'agent_stock', kind: 'run', status: 'completed' });
  const child = await record(step.childTraceId);
  expect(child).toMatchObject({ workflowId: `${workflowId}/agent/1`, status: 'completed' });
  const one = await service.get(`/api/runs/${traceId}/steps/1`);
  expect(one.body.data).toMatchObject({
    input: { query: 'Count the lamps', agent: { id: 'stock' } },
    output: { response: 'I count 7 lamps.' },
  });
  // The agent that was called has stored nothing.
  const sessions = await service.get(`/api/memory/sessions/${userId}`);
  expect(sessions.body.data.sessions.map(({ sessionId }: { sessionId: string }) => sessionId)).toEqual([
    'session-1',
  ]);
});

test('what an agent that was called asks a person stands at the run of the first one', async () => {
  await putAgent(service, 'boss', { agents: ['middle'] });
  await putAgent(service, 'middle', { agents: ['clerk'] });
  await putAgent(service, 'clerk', { approval: { tools: ['calculator'] } });
  service.hosted.otherwise(
    playsTeam({
      boss: { calls: [asksAgent('middle', 'Ask the clerk')], says: 'It is done.' },
      middle: { calls: [asksAgent('clerk', 'Add')], says: 'The clerk has added.' },
      clerk: { calls: [calculates('add', 1, 2)], says: 'Added.' },
    }),
  );
  const turn = turnOf('boss');
  const waiting = await turn();
  const [approval] = approvalsIn(waiting);
  const traceId = waiting.headers.get('x-trace-id') ?? '';
  expect(approval).toMatchObject({
    toolName: 'calculator',
    runId: traceId,
    step: '1.1.1',
    args: { a: 1, b: 2 },
  });
  expect((await record(traceId)).status).toBe('waiting');
  const [listed] = await untilListed(service, `runId=${traceId}&status=pending`, 1);
  expect(listed).toMatchObject({ id: approval?.id });
  await answerApproval(service, approval!, { decision: 'approve', args: { operation: 'add', a: 5, b: 6 } });
  const data = await answerOf(untilEnded(turn));
  expect(data.response).toBe('It is done.');
  expect(outcomesIn(plansOf('clerk').at(-1))).toEqual(['11']);
  const types = (await eventsOf(traceId)).map(({ type }: { type: string }) => type);
  expect(types).toEqual(expect.arrayContaining(['approval.requested', 'approval.answered']));
});

test('a denied call of a called agent is read by its planner', async () => {
  await putAgent(service, 'asker', { agents: ['keeper'] });
  await putAgent(service, 'keeper', { approval: { tools: ['calculator'] } });
  service.hosted.otherwise(
    playsTeam({
      asker: { calls: [asksAgent('keeper', 'Add')], says: 'He may not.' },
      keeper: { calls: [calculates('add', 1, 2)], says: 'I may not.' },
    }),
  );
  const turn = turnOf('asker');
  const [approval] = approvalsIn(await turn());
  await answerApproval(service, approval!, { decision: 'deny', comment: 'not today' });
  const data = await answerOf(untilEnded(turn));
  expect(data).toMatchObject({ response: 'He may not.', toolResults: [{ result: 'I may not.' }] });
});

test('an agent that there is not, that fails, or that stands too deep is an error of its call', async () => {
  await putAgent(service, 'first', { agents: ['gone', 'second'] });
  await putAgent(service, 'second', { agents: ['third'] });
  await putAgent(service, 'third', { agents: ['fourth'] });
  await putAgent(service, 'fourth');
  service.hosted.otherwise(
    playsTeam({
      first: { calls: [asksAgent('gone', 'Are you there?'), asksAgent('second', 'Go on')], says: 'End.' },
      second: { calls: [asksAgent('third', 'Go on')], says: 'Second.' },
      third: { calls: [asksAgent('fourth', 'Go on')], says: 'Third.' },
      fourth: { says: 'Fourth.' },
    }),
  );
  const data = await answerOf(turnOf('first')());
  expect(data.toolResults).toMatchObject([
    { toolName: 'agent_gone', success: false, error: expect.stringContaining('There is no agent "gone"') },
    { toolName: 'agent_second', success: true, result: 'Second.' },
  ]);
  expect(offeredIn(plansOf('second')[0])).toContain('agent_third');
  expect(offeredIn(plansOf('third')[0])).not.toContain('agent_fourth');
  expect(service.hosted.requests.some((one) => agentIn(one) === 'fourth')).toBe(false);
});

test('a run has at most 25 turns of agents', async () => {
  await putAgent(service, 'many', { agents: ['quick'] });
  await putAgent(service, 'quick', { tools: [] });
  const calls = Array.from({ length: 26 }, (_, index) => asksAgent('quick', `Question ${index}`));
  service.hosted.otherwise(playsTeam({ many: { calls: [calls], says: 'Enough.' }, quick: { says: 'Yes.' } }));
  const data = await answerOf(turnOf('many')());
  const results: { success: boolean; error?: string }[] = data.toolResults;
  expect(results.map(({ success }) => success)).toEqual([...Array<boolean>(24).fill(true), false]);
  expect(results.at(-1)?.error).toContain('at most 25 turns');
});

test('a budget is shared: what a called agent uses is not left for the first one', async () => {
  await putAgent(service, 'spender', {
    agents: ['helper'],
    budget: { maxModelCalls: 5, onExceeded: 'fail' },
  });
  await putAgent(service, 'helper');
  service.hosted.otherwise(
    playsTeam({
      spender: { calls: [asksAgent('helper', 'Help'), asksAgent('helper', 'Help again')], says: 'Done.' },
      helper: { says: 'Helped.' },
    }),
  );
  const { status, body } = await turnOf('spender')();
  // Classified and planned, then the helper the same, then planned: the sixth call is one too many.
  expect([status, body.details]).toMatchObject([
    500,
    { reason: 'budget_exhausted', usage: { modelCalls: 5 } },
  ]);
});

test('a host that only a planner has named is not called', async () => {
  await putAgent(service, 'writer', { agents: ['reader'] });
  await putAgent(service, 'reader');
  service.hosted.otherwise(
    playsTeam({
      writer: { calls: [asksAgent('reader', 'Read http://127.0.0.1:9/secret')], says: 'No.' },
      reader: { calls: [fetches('http://127.0.0.1:9/secret')], says: 'I may not.' },
    }),
  );
  await answerOf(turnOf('writer')());
  expect(outcomesIn(plansOf('reader').at(-1))).toEqual([
    expect.stringContaining('the message does not name the address'),
  ]);
});

test('a run that is cancelled cancels the turns that it has called', async () => {
  await putAgent(service, 'chief', { agents: ['slow'] });
  await putAgent(service, 'slow');
  const team = playsTeam({ chief: { calls: [asksAgent('slow', 'Take your time')], says: 'Done.' } });
  service.hosted.otherwise((one, response) => (agentIn(one) === 'slow' ? hangs() : team)(one, response));
  const answering = turnOf('chief')();
  await waitFor(() => service.hosted.requests.some((one) => agentIn(one) === 'slow'), { what: 'the call' });
  const { body } = await service.get('/api/runs?area=agent&status=running');
  const [parent] = body.data.runs.filter(
    ({ workflowId }: { workflowId: string }) => !workflowId.includes('/agent/'),
  );
  await service.post(`/api/runs/${parent.traceId}/cancel`);
  expect((await answering).body.message).toBe('The run was cancelled by an operator');
  const [step] = (await record(parent.traceId)).steps.filter(({ id }: { id: string }) => id === '1');
  expect(step.status).toBe('cancelled');
  await waitFor(
    async () => (await service.get('/api/runs?area=agent&status=running')).body.data.runs.length === 0,
    {
      what: 'the called turn to end',
    },
  );
});

test('what the request narrows holds for the agents that are called too', async () => {
  await putAgent(service, 'wide', { agents: ['maker', 'other'] });
  await putAgent(service, 'maker', { tools: ['calculator', 'json_reader'] });
  await putAgent(service, 'other');
  service.hosted.otherwise(
    playsTeam({
      wide: { calls: [asksAgent('maker', 'Make it')], says: 'Made.' },
      maker: { calls: [calculates('add', 1, 2)], says: 'I made 3.' },
    }),
  );
  const narrow = { tools: ['agent_maker', 'calculator'] };
  const data = await answerOf(turnOf('wide', narrow)());
  expect(data.toolResults).toMatchObject([{ toolName: 'agent_maker', result: 'I made 3.' }]);
  expect(offeredIn(plansOf('wide')[0])).toEqual(expect.not.arrayContaining(['agent_other']));
  expect(offeredIn(plansOf('maker')[0])).toEqual(['calculator']);

  service.hosted.reset();
  service.hosted.otherwise(playsTeam({ wide: { says: 'Nothing to call.' } }));
  await answerOf(turnOf('wide', { tools: [] })());
  expect(plansOf('wide')).toEqual([]);
  const unknown = await turnOf('wide', { tools: ['agent_nobody'] })();
  expect([unknown.status, unknown.body.details.field]).toEqual([400, 'options.tools[0]']);
});

test('a call of an agent can be made to wait, and takes no other arguments than a query', async () => {
  await putAgent(service, 'careful', { agents: ['doer'], approval: { tools: ['agent_doer'] } });
  await putAgent(service, 'doer');
  // A tool of the same name is not meant.
  await service.post('/api/tools/register', {
    name: 'agent_doer',
    description: 'Another one',
    parameters: { n: { type: 'number', description: 'A number', required: true } },
    execute: 'return 1',
  });
  service.hosted.otherwise(
    playsTeam({ careful: { calls: [asksAgent('doer', 'Do it')], says: 'Done.' }, doer: { says: 'Did.' } }),
  );
  const turn = turnOf('careful');
  const [approval] = approvalsIn(await turn());
  expect(approval).toMatchObject({ toolName: 'agent_doer', args: { query: 'Do it' } });
  const wrong = await answerApproval(service, approval!, { decision: 'approve', args: { question: 'Why?' } });
  expect(wrong.status).toBe(400);
  await answerApproval(service, approval!, { decision: 'approve', args: { query: 'Do it well' } });
  expect((await answerOf(untilEnded(turn))).response).toBe('Done.');
  expect(textsIn(plansOf('doer')[0]!).join()).toContain('Do it well');
});

test('a called turn that could not do its work says so to the planner, and a failed one which tools it ran', async () => {
  await putAgent(service, 'asking', { agents: ['poor'] });
  await putAgent(service, 'poor', { budget: { maxToolCalls: 0, onExceeded: 'finish' } });
  service.hosted.otherwise(
    playsTeam({
      asking: { calls: [asksAgent('poor', 'Add')], says: 'He had nothing.' },
      poor: { calls: [calculates('add', 1, 2)], says: 'I have no tools left.' },
    }),
  );
  const data = await answerOf(turnOf('asking')());
  expect(data.toolResults[0].result).toMatchObject({
    answer: 'I have no tools left.',
    problem: expect.stringContaining('maxToolCalls'),
  });
});

test('a turn that was called cannot be run again by itself', async () => {
  await putAgent(service, 'outer', { agents: ['inner'] });
  await putAgent(service, 'inner');
  service.hosted.otherwise(
    playsTeam({ outer: { calls: [asksAgent('inner', 'Go')], says: 'Out.' }, inner: { says: 'In.' } }),
  );
  const answer = await turnOf('outer')();
  const { steps } = await record(answer.headers.get('x-trace-id') ?? '');
  const { childTraceId } = steps.find(({ id }: { id: string }) => id === '1');
  const { status, body } = await service.post(`/api/runs/${childTraceId}/rerun`, {});
  expect([status, body.code]).toEqual([409, 'RUN_NOT_REPEATABLE']);
});

test('an approval is withdrawn if the turn that asked for it is stopped', async () => {
  await putAgent(service, 'top', { agents: ['low'] });
  await putAgent(service, 'low', { approval: { tools: ['calculator'] } });
  service.hosted.otherwise(
    playsTeam({
      top: { calls: [asksAgent('low', 'Add')], says: 'It was stopped.' },
      low: { calls: [calculates('add', 1, 2)], says: 'Added.' },
    }),
  );
  const turn = turnOf('top');
  const waiting = await turn();
  const traceId = waiting.headers.get('x-trace-id') ?? '';
  await untilListed(service, `runId=${traceId}&status=pending`, 1);
  const running = (await service.get('/api/runs?area=agent&status=running')).body.data.runs;
  const child = running.find(({ workflowId }: { workflowId: string }) => workflowId.endsWith('/agent/1'));
  await service.post(`/api/runs/${child.traceId}/cancel`);
  const data = await answerOf(untilEnded(turn));
  expect(data.toolResults[0]).toMatchObject({ success: false, error: expect.stringContaining('stopped') });
  await untilListed(service, `runId=${traceId}&status=pending`, 0);
});

test('the erasure of a user takes the turns that were called for them', async () => {
  await putAgent(service, 'host', { agents: ['guest'] });
  await putAgent(service, 'guest', { memory: { write: true } });
  service.hosted.otherwise(
    playsTeam({
      host: { calls: [asksAgent('guest', 'Remember')], says: 'Done.' },
      guest: { says: 'Remembered.' },
    }),
  );
  const userId = newUser();
  await answerOf(turnOf('host', { userId })());
  const { sessions } = (await service.get(`/api/memory/sessions/${userId}`)).body.data;
  expect(sessions).toHaveLength(2);
  // What a planner wrote is no word of the user.
  const listed = await service.get(`/api/memory/list/${userId}`);
  expect(listed.text).toContain('Remembered.');
  expect(listed.text).not.toContain('"Remember"');
  const erased = await service.send('DELETE', `/api/memory/clear/${userId}`);
  expect([erased.status, erased.body.data]).toMatchObject([200, { erased: { runs: 2 } }]);
});
