import { answerOf, ask, classifiesAs, initializeAgent, plansInTurn, playsAgent } from '../support/agent';
import { stepsOf } from '../support/history-texts';
import type { Answer } from '../support/http';
import { addEpisodic, newUser } from '../support/memories';
import { says } from '../support/model-server';
import { calculates, fetches, type ModelService } from '../support/model-service';
import { sendJson, startStubPeer, type StubPeer } from '../support/stub-peer';
import { connectTemporal, type TestClient } from '../support/temporal-client';
import { useModelService } from '../support/use-service';
import { waitFor } from '../support/wait';

let service: ModelService;
let temporal: TestClient;
let peer: StubPeer;
let userId: string;

beforeAll(async () => {
  [service, temporal, peer] = await Promise.all([
    useModelService(),
    connectTemporal(),
    startStubPeer((_request, response) => sendJson(response, 200, { name: 'Ada' })),
  ]);
  await initializeAgent(service);
});
afterAll(() => Promise.all([service.stop(), temporal.close(), peer.close()]));
beforeEach(() => {
  userId = newUser();
  service.hosted.reset();
});

const turn = async (query: string, options: object = {}): Promise<Answer> => {
  const answering = ask(service, query, { userId, ...options });
  await answerOf(answering);
  return answering;
};
const workflowIdOf = ({ headers }: Answer): string => headers.get('x-workflow-id') ?? '';
const steps = (answer: Answer) => stepsOf(temporal.client, workflowIdOf(answer));
const describeRun = (answer: Answer) => temporal.client.workflow.getHandle(workflowIdOf(answer)).describe();

describe('the history of a turn reads like a log', () => {
  test('by rules', async () => {
    const found = await steps(await turn('What is 15 times 7?', { model: 'builtin' }));
    // These two run at once.
    expect(found.slice(0, 2).sort()).toEqual([
      ['classifyTurn', 'classifyTurn-1: builtin: classify'],
      ['recallMemories', 'recallMemories-1: recall memories'],
    ]);
    expect(found.slice(2)).toEqual([
      ['plan', 'plan-1: builtin: choose tools'],
      ['runTool', '1: calculator {"operation":"multiply","a":15,"b":7}'],
      ['plan', 'plan-2: builtin: choose tools'],
      ['answerTurn', 'answerTurn-1: builtin: answer'],
      ['storeMessages', 'storeMessages-1: remember the message and the answer'],
    ]);
  });

  test('by a model', async () => {
    service.hosted.otherwise(
      playsAgent({
        classify: classifiesAs('hybrid', ['api_call', 'calculator']),
        plan: plansInTurn([fetches(`${peer.url}/user`), calculates('add', 1, 2)], 'Ada, and 3.'),
      }),
    );
    await addEpisodic(service, { userId, content: 'the user is Ada' });
    const found = await steps(await turn(`Who is the user at ${peer.url}/user, and what is 1 and 2?`));
    expect(found.slice(0, 2).sort()).toEqual([
      ['classifyTurn', 'classifyTurn-1: hosted hosted-model: classify'],
      ['recallMemories', 'recallMemories-1: recall memories'],
    ]);
    expect(found.slice(2)).toEqual([
      ['describeMemories', 'describeMemories-1: put memories into words'],
      ['plan', 'plan-1: hosted hosted-model: choose tools'],
      ['runTool', expect.stringContaining(`1: api_call {"url":"${peer.url}/user"`)],
      ['plan', 'plan-2: hosted hosted-model: choose tools'],
      ['runTool', '2: calculator {"operation":"add","a":1,"b":2}'],
      ['plan', 'plan-3: hosted hosted-model: choose tools'],
      ['storeMessages', 'storeMessages-1: remember the message and the answer'],
    ]);
  });

  test('of talk with a model', async () => {
    service.hosted.otherwise(playsAgent({ answer: says('Good day.') }));
    const found = await steps(await turn('Good day', { includeMemoryContext: false }));
    expect(found).toEqual([
      ['classifyTurn', 'classifyTurn-1: hosted hosted-model: classify'],
      ['answerTurn', 'answerTurn-1: hosted hosted-model: answer'],
      ['storeMessages', 'storeMessages-1: remember the message and the answer'],
    ]);
  });

  test('and its list has the message, without secrets and on one line', async () => {
    const query = `tell me\n\nof https://ada:pass-1843@example.test/x?key=hidden-1843 ${'and more '.repeat(40)}`;
    const run = await describeRun(await turn(query, { model: 'builtin' }));
    const summary = (await run.staticSummary()) ?? '';
    expect(summary).toMatch(/^tell me of https/);
    expect(summary.length).toBeLessThanOrEqual(120);
    expect(summary).not.toMatch(/1843|\n/);
  });
});

describe('whose turn it is', () => {
  const attributesOf = async (answer: Answer) => {
    const { typedSearchAttributes } = await describeRun(answer);
    const all = typedSearchAttributes.getAll();
    const of = (name: string): string => String(all.find(({ key }) => key.name === name)?.value);
    return { user: of('HoldfastUser'), session: of('HoldfastSession'), area: of('HoldfastArea') };
  };
  const ruled = (query: string, options: object) => turn(query, { model: 'builtin', ...options });

  test('is told by pseudonyms, the same for a user and for a session of theirs', async () => {
    const [one, two, other] = await Promise.all([
      ruled('hello', { sessionId: 'monday' }).then(attributesOf),
      ruled('hello', { sessionId: 'tuesday' }).then(attributesOf),
      ruled('hello', { sessionId: 'monday', userId: newUser() }).then(attributesOf),
    ]);
    expect(one).toEqual({
      user: expect.stringMatching(/^[0-9a-f]{32}$/),
      session: expect.stringMatching(/^[0-9a-f]{32}$/),
      area: 'agent',
    });
    expect(two.user).toBe(one.user);
    expect(two.session).not.toBe(one.session);
    expect(other.user).not.toBe(one.user);
    expect(other.session).not.toBe(one.session);
  });

  test('is nowhere in ids, attributes, notes and summaries', async () => {
    const name = `dana-${newUser()}`;
    const sessionId = `private-${newUser()}`;
    await ruled('My cat is Tom', { userId: name, sessionId });
    const answer = await ruled('What is the name of my cat?', { userId: name, sessionId });
    const { raw, workflowId, memo, typedSearchAttributes, ...run } = await describeRun(answer);
    const described = [
      workflowId,
      JSON.stringify([memo, typedSearchAttributes.getAll(), raw.workflowExecutionInfo?.execution, run.type]),
      await run.staticSummary(),
      await run.staticDetails(),
      ...(await steps(answer)).flat(),
    ].join('\n');
    for (const secret of [name, sessionId])
      expect([secret, described.includes(secret)]).toEqual([secret, false]);
  });

  test("finds a user's runs in the list", async () => {
    const answer = await ruled('hello', { sessionId: 'monday' });
    const { user, session } = await attributesOf(answer);
    for (const query of [`HoldfastUser = '${user}'`, `HoldfastSession = '${session}'`]) {
      const ids = await waitFor(
        async () => {
          const found: string[] = [];
          for await (const run of temporal.client.workflow.list({ query })) found.push(run.workflowId);
          return found.length > 0 && found;
        },
        { what: `${query} to find the run` },
      );
      expect(ids).toEqual([workflowIdOf(answer)]);
    }
  });
});
