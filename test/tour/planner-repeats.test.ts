import {
  answerOf,
  ask,
  asked,
  classifiesAs,
  initializeAgent,
  plansInTurn,
  playsAgent,
} from '../support/agent';
import { newUser } from '../support/memories';
import { callsTools, says } from '../support/model-server';
import { calculates, fetches, type ModelService, outcomesIn } from '../support/model-service';
import { sendJson, startStubPeer, type StubPeer } from '../support/stub-peer';
import { useModelService } from '../support/use-service';

let service: ModelService;
let peer: StubPeer;

beforeAll(async () => {
  [service, peer] = await Promise.all([
    useModelService(),
    startStubPeer(({ path }, response) => {
      const status = path.startsWith('/refused') ? 409 : 200;
      sendJson(response, status, { times: path.startsWith('/orders') ? peer.count(path) : 0 });
    }),
  ]);
  await initializeAgent(service);
});
afterAll(async () => {
  await service.stop();
  await peer.close();
});
beforeEach(() => service.hosted.reset());

const ADD = calculates('add', 1, 1);
const order = (path: string, body: object = { item: 1, count: 2 }, more: object = {}) =>
  fetches(`${peer.url}${path}`, { method: 'POST', body, ...more });
const work = async (query = `order it at ${peer.url}`) => {
  const { status, body } = await service.post('/api/tools/mcp', { query });
  return { status, ...body.data, message: body.message };
};

describe('a call that changes something', () => {
  test('is made once, and a planner that asks for nothing else is stopped', async () => {
    service.hosted.otherwise(callsTools([order('/orders/stuck')]));
    const { status, success, errors, executionOrder, message } = await work();
    expect([status, success, peer.count('/orders/stuck')]).toEqual([200, false, 1]);
    expect(executionOrder).toEqual(['api_call']);
    expect(errors).toEqual([
      {
        stepNumber: 4,
        toolName: 'api_call',
        code: 'PLANNER_STUCK',
        error: expect.stringContaining('asked for a call again that was made 3 times'),
      },
    ]);
    expect(message).toMatch(/went in a circle/);
    expect(service.hosted.requests).toHaveLength(4);
  });

  test('is answered by its first result where it comes again, with other order of its properties', async () => {
    service.hosted.script(
      callsTools([order('/orders/again')]),
      callsTools([order('/orders/again', { count: 2, item: 1 })]),
      callsTools([order('/orders/again', { count: 3, item: 1 })]),
      says('Ordered.'),
    );
    const { success, answer, executionOrder } = await work();
    expect([success, answer, executionOrder]).toEqual([true, 'Ordered.', ['api_call', 'api_call']]);
    expect(peer.count('/orders/again')).toBe(2);
    const [first, second, third] = outcomesIn(service.hosted.requests[3]).map((text) => JSON.parse(text));
    expect(second).toEqual({ note: expect.stringContaining('not made again'), result: first });
    expect(third).toMatchObject({ status: 200, data: { times: 2 } });
  });

  test('is not made again where it failed, because it may have had its effect', async () => {
    const refused = order('/refused/once', {}, { expect: 201 });
    service.hosted.script(callsTools([refused]), callsTools([refused]), callsTools([ADD]), says('Two.'));
    const { success, errors } = await work();
    expect([success, peer.count('/refused/once')]).toEqual([true, 1]);
    expect(errors).toHaveLength(1);
    expect(outcomesIn(service.hosted.requests[2])[1]).toMatch(/not made again.*answered 409/);
  });

  test('is made once in a turn of the agent, which then answers', async () => {
    service.hosted.otherwise(
      playsAgent({
        classify: classifiesAs('tool_execution', ['api_call']),
        plan: plansInTurn(Array(9).fill(order('/orders/turn')), 'Never said.'),
        answer: says('It was ordered once.'),
      }),
    );
    const turn = await answerOf(ask(service, `order it at ${peer.url}`, { userId: newUser() }));
    expect([peer.count('/orders/turn'), turn.toolResults.length, turn.response]).toEqual([
      1,
      1,
      'It was ordered once.',
    ]);
    expect(asked(service.hosted.requests, 'plan')).toHaveLength(4);
  });
});

describe('a call that reads', () => {
  test('ends the planner where it has the same result three times in a row', async () => {
    service.hosted.otherwise(callsTools([fetches(`${peer.url}/same`)]));
    const { success, errors, iterations } = await work();
    expect([success, errors.at(-1)?.code, iterations]).toEqual([false, 'PLANNER_STUCK', 3]);
    expect(peer.count('/same')).toBe(3);
  });

  test('may wait for another result', async () => {
    const look = callsTools([fetches(`${peer.url}/orders/state`)]);
    service.hosted.script(look, look, look, look, says('There it is.'));
    expect(await work()).toMatchObject({ success: true, answer: 'There it is.', iterations: 4 });
  });
});

describe('a model that says nothing about the results', () => {
  test('is asked once more', async () => {
    service.hosted.script(callsTools([ADD]), says(''), says('It is 2.'));
    expect(await work('add one and one')).toMatchObject({
      success: true,
      finalResult: 2,
      answer: 'It is 2.',
    });
    const messages = service.hosted.requests[2]?.body.messages ?? [];
    expect(messages.at(-1)).toMatchObject({ role: 'user', content: expect.stringMatching(/was empty/) });
    const empty = messages.filter((one) => one.role === 'assistant' && one.content === '');
    expect(empty.every((one) => 'tool_calls' in one)).toBe(true);
  });

  test('and where it says nothing again, the answer says so', async () => {
    service.hosted.script(callsTools([ADD]), says(''), says(' '));
    const { success, finalResult, answer } = await work('add one and one');
    expect([success, finalResult]).toEqual([true, 2]);
    expect(answer).toMatch(/said nothing/);
    expect(service.hosted.requests).toHaveLength(3);
  });
});
