import { randomUUID } from 'node:crypto';
import {
  answerOf,
  ask,
  asked,
  classifiesAs,
  initializeAgent,
  plansInTurn,
  playsAgent,
  textsIn,
} from '../support/agent';
import { type HoldingPeer, startHoldingPeer } from '../support/holding-peer';
import { addEpisodic, addSemantic, idsOf, newUser } from '../support/memories';
import { type Behaviour, says, slowly } from '../support/model-server';
import { calculates, type ModelService } from '../support/model-service';
import { sendJson, startStubPeer, type StubPeer } from '../support/stub-peer';
import { useModelService } from '../support/use-service';

let service: ModelService;
let peer: HoldingPeer;
let failing: StubPeer;
let userId: string;

beforeAll(async () => {
  [service, peer, failing] = await Promise.all([
    useModelService(),
    startHoldingPeer(),
    startStubPeer((_request, response) => sendJson(response, 503, { sorry: true })),
  ]);
  await initializeAgent(service);
});
afterAll(() => Promise.all([service.stop(), peer.close(), failing.close()]));
beforeEach(() => {
  userId = newUser();
  for (const server of [service.hosted, service.local]) {
    server.reset();
    server.otherwise(playsAgent({}));
  }
});

const turn = (query: string, options: object = {}) => ask(service, query, { userId, ...options });
/** Asks the agent with rules alone. */
const ruled = (query: string, options: object = {}) =>
  answerOf(turn(query, { model: 'builtin', ...options }));
const modelled = (query: string, options: object = {}) => answerOf(turn(query, options));

const contents = (memories: readonly { readonly content: string }[]): string[] =>
  memories.map(({ content }) => content);

describe('includeMemoryContext', () => {
  beforeEach(() => addEpisodic(service, { userId, content: 'I keep two goats, Anton and Bella' }));

  test('false: memory is not asked, and what is answered has none', async () => {
    const query = 'What are the names of my goats?';
    const without = await ruled(query, { includeMemoryContext: false });
    expect(without).not.toHaveProperty('memoryContext');
    expect(without.metadata).toMatchObject({ memoryRetrieved: 0, memorySearchTime: 0, sources: [] });
    expect(without.response).not.toContain('Anton');
    // The number is not known, because no search was made.
    expect(without.response).toMatch(/did not look into memory/);
    expect(without.response).not.toMatch(/no memory that answers/);
    // By default the agent searches memory.
    const withIt = await ruled(query, { sessionId: 'another' });
    expect(contents(withIt.memoryContext.episodicMemories)).toContain('I keep two goats, Anton and Bella');
    expect(withIt.metadata.memoryRetrieved).toBeGreaterThan(0);
  });

  test('a model gets memories with it, and none without', async () => {
    await modelled('Tell me of my goats', { includeMemoryContext: false });
    await modelled('Tell me of my goats', { sessionId: 'another' });
    const [without, withIt] = asked(service.hosted.requests, 'answer').map((one) => textsIn(one).join('\n'));
    expect(without).not.toContain('Anton and Bella');
    expect(withIt).toContain('Anton and Bella');
  });
});

test('maxMemoryResults is the most of both kinds together, 10 by default', async () => {
  for (let n = 0; n < 8; n += 1) {
    await addEpisodic(service, { userId, content: `bicycle tour number ${n}` });
    await addSemantic(service, { userId, concept: `bicycle ${n}`, description: 'a tour' });
  }
  const retrieved = async (options: object): Promise<number[]> => {
    const { memoryContext, metadata } = await ruled('bicycle tour', { memoryThreshold: 0.1, ...options });
    const { episodicMemories, semanticMemories } = memoryContext;
    return [metadata.memoryRetrieved, episodicMemories.length + semanticMemories.length];
  };
  expect(await retrieved({})).toEqual([10, 10]);
  expect(await retrieved({ maxMemoryResults: 3 })).toEqual([3, 3]);
  expect(await retrieved({ maxMemoryResults: 1 })).toEqual([1, 1]);
});

test('memoryThreshold is the least relevance of a memory of either kind', async () => {
  const tour = await addEpisodic(service, { userId, content: 'the bicycle tour along the river' });
  const colour = await addEpisodic(service, { userId, content: 'the bicycle is red' });
  const wheels = await addSemantic(service, { userId, concept: 'bicycle', description: 'has two wheels' });
  const found = async (memoryThreshold: number): Promise<string[]> => {
    const options = { memoryThreshold, sessionId: randomUUID() };
    const { memoryContext } = await ruled('bicycle tour along the river', options);
    const { episodicMemories, semanticMemories } = memoryContext;
    for (const { relevanceScore } of episodicMemories) {
      expect(relevanceScore).toBeGreaterThanOrEqual(memoryThreshold);
    }
    for (const { similarityScore } of semanticMemories) {
      expect(similarityScore).toBeGreaterThanOrEqual(memoryThreshold);
    }
    return idsOf([...episodicMemories, ...semanticMemories]);
  };
  expect(await found(0)).toEqual(expect.arrayContaining([tour.id, colour.id, wheels.id]));
  const best = await found(0.9);
  expect(best).toContain(tour.id);
  for (const { id } of [colour, wheels]) expect(best).not.toContain(id);
});

describe('model', () => {
  test.each([
    ['the default provider where it is left out', undefined, 'hosted', 'hosted-model'],
    ['a provider by its name', 'local', 'local', 'local-model'],
    ['the hosted one by its name', 'hosted', 'hosted', 'hosted-model'],
    ['a model by its own', 'gpt-9', 'hosted', 'gpt-9'],
  ] as const)('asks %s', async (_case, model, provider, name) => {
    const { metadata, response } = await modelled('Good day', model === undefined ? {} : { model });
    expect(response).toBe('Hello.');
    expect(metadata).toMatchObject({ provider, modelUsed: name, degraded: [] });
    const other = provider === 'hosted' ? 'local' : 'hosted';
    expect(service[provider].requests.length).toBeGreaterThan(0);
    expect(new Set(service[provider].requests.map(({ body }) => body.model))).toEqual(new Set([name]));
    expect(service[other].requests).toEqual([]);
  });

  test('builtin asks none', async () => {
    const { metadata, response } = await ruled('Good day');
    expect(metadata).toMatchObject({ provider: 'builtin', modelUsed: 'builtin', degraded: [] });
    expect(response).not.toBe('Hello.');
    expect([...service.hosted.requests, ...service.local.requests]).toEqual([]);
  });
});

describe('how a model writes', () => {
  const settings = async (more: object) => {
    // The hosted default takes no temperature.
    const options = { model: 'gpt-9', ...more };
    service.hosted.otherwise(playsAgent({ classify: classifiesAs('tool_execution') }));
    await modelled('Do something', options);
    await modelled('Say something', { ...options, hintIntent: 'conversation' });
    service.hosted.otherwise(playsAgent({}));
    await modelled('Say something', options);
    const of = (purpose: 'plan' | 'answer') => asked(service.hosted.requests, purpose).at(-1)?.body;
    return { plan: of('plan'), answer: of('answer') };
  };

  test('temperature and topP reach the model that plans and the one that answers, maxTokens that alone', async () => {
    const { plan, answer } = await settings({ temperature: 0.25, topP: 0.5, maxTokens: 123 });
    for (const body of [plan, answer]) expect(body).toMatchObject({ temperature: 0.25, top_p: 0.5 });
    expect(plan).toHaveProperty('max_completion_tokens', 1_024);
    expect(answer).toHaveProperty('max_completion_tokens', 123);
  });

  test('with maxTokens the response after tools is asked for by itself, and within them', async () => {
    service.hosted.otherwise(
      playsAgent({
        classify: classifiesAs('tool_execution'),
        plan: plansInTurn([calculates('add', 1, 2)], 'The planner speaks at length.'),
        answer: says('Three.'),
      }),
    );
    const { response, toolResults } = await modelled('Add one and two', { maxTokens: 5 });
    expect(response).toBe('Three.');
    expect(toolResults).toMatchObject([{ toolName: 'calculator', success: true }]);
    const [answer] = asked(service.hosted.requests, 'answer');
    expect(answer?.body).toMatchObject({ max_completion_tokens: 5 });
  });

  test.each([
    ['by the model that answers', { answer: says('It begins', { finishReason: 'length' }) }],
    [
      'by the model that planned',
      {
        classify: classifiesAs('tool_execution'),
        plan: says('It begins', { finishReason: 'length' }),
      },
    ],
  ])('a response that was cut off %s says so at every level of detail', async (_by, plays) => {
    service.hosted.otherwise(playsAgent(plays));
    for (const responseDetailLevel of ['minimal', 'standard', 'full'])
      expect(await modelled('Tell me all', { responseDetailLevel })).toMatchObject({
        response: 'It begins',
        finishReason: 'length',
      });
    service.hosted.otherwise(playsAgent({}));
    expect(await modelled('Tell me all')).not.toHaveProperty('finishReason');
  });

  test('the last words of a model that planned are timed, and tell which memories it was given', async () => {
    const tea = await addEpisodic(service, { userId, content: 'I drink assam tea' });
    service.hosted.otherwise(
      playsAgent({ classify: classifiesAs('tool_execution'), plan: slowly(300, says('Assam.')) }),
    );
    const { response, metadata } = await modelled('Order my assam tea');
    expect(response).toBe('Assam.');
    expect(metadata.llmResponseTime).toBeGreaterThanOrEqual(300);
    expect(metadata.toolExecutionTime).toBeLessThan(metadata.llmResponseTime);
    expect(metadata.sources).toEqual([tea.id]);
  });

  test('a model that reasons has room for what it thinks before it classifies', async () => {
    const reasons: Behaviour = (request, response) => {
      const { max_completion_tokens: limit } = request.body;
      const answer =
        (limit ?? Infinity) < 1_000 ? says('', { finishReason: 'length' }) : classifiesAs('hybrid');
      return answer(request, response);
    };
    service.hosted.otherwise(playsAgent({ classify: reasons }));
    const { intent, metadata } = await modelled('Do something');
    expect([intent.type, metadata.degraded]).toEqual(['hybrid', []]);
  });

  test('by default it answers at a temperature of 0.7 and plans at 0, within 1,024 tokens', async () => {
    const { plan, answer } = await settings({});
    expect(plan).toMatchObject({ temperature: 0, max_completion_tokens: 1_024 });
    expect(answer).toMatchObject({ temperature: 0.7 });
    for (const name of ['top_p', 'max_tokens', 'max_completion_tokens'])
      expect(answer).not.toHaveProperty(name);
    expect(plan).not.toHaveProperty('top_p');
  });
});

describe('includeReasoning', () => {
  test('false leaves the reasoning out', async () => {
    const withIt = await ruled('What is 2 times 3?');
    expect(withIt.reasoning).toMatch(/^Taken as tool_execution/);
    expect(withIt.intent.reasoning).toBe(withIt.reasoning);
    const without = await ruled('What is 2 times 3?', { includeReasoning: false });
    expect(without).not.toHaveProperty('reasoning');
    expect(without.intent).not.toHaveProperty('reasoning');
  });

  test('a model is asked for it only where the caller wants it', async () => {
    const turns = [
      await modelled('hello'),
      await modelled('hello', { includeReasoning: true }),
      await modelled('hello', { includeReasoning: false }),
    ];
    const schemas = asked(service.hosted.requests, 'classify').map(({ body }) => JSON.stringify(body));
    expect(schemas.map((text) => text.includes('reasoning'))).toEqual([false, true, false]);
    expect(turns.map(({ reasoning }) => reasoning)).toEqual([
      'Taken as conversation by the model "hosted-model".',
      'It is conversation.',
      undefined,
    ]);
  });
});

describe('previousIntents', () => {
  test('let the rules take what alone would be unclear for more of the same', async () => {
    const typeAfter = async (previousIntents: string[]): Promise<string> =>
      (await ruled('and times 3?', { previousIntents, sessionId: randomUUID() })).intent.type;
    expect(await typeAfter(['tool_execution'])).toBe('tool_execution');
    expect(await typeAfter(['memory_chat'])).toBe('hybrid');
  });

  test('are told a model', async () => {
    await modelled('And the other one?', { previousIntents: ['hybrid', 'memory_chat'] });
    const [request] = asked(service.hosted.requests, 'classify');
    expect(request && textsIn(request)[0]).toContain('Types of the messages before: hybrid, memory_chat');
  });
});

describe('hintIntent', () => {
  test('weighs with the rules, and does not outweigh what is plain', async () => {
    const intentOf = async (query: string, options: object) =>
      (await ruled(query, { ...options, sessionId: randomUUID() })).intent;
    const vague = 'The blue one';
    const alone = await intentOf(vague, {});
    const hinted = await intentOf(vague, { hintIntent: alone.type });
    expect(hinted.type).toBe(alone.type);
    expect(hinted.confidence).toBeGreaterThan(alone.confidence);
    const plain = await intentOf('What is 15 times 7?', { hintIntent: 'conversation' });
    expect(plain.type).toBe('tool_execution');
  });

  test('is told a model', async () => {
    await modelled('The blue one', { hintIntent: 'hybrid' });
    const [request] = asked(service.hosted.requests, 'classify');
    expect(request && textsIn(request)[0]).toContain('The caller expects hybrid');
  });
});

describe('tool calls', () => {
  test('toolTimeout ends each, and the turn answers and says so', async () => {
    const path = `/held-${randomUUID()}`;
    // The peer answers only once the turn has been answered.
    const { toolResults, response, metadata } = await ruled(`fetch ${peer.url}${path}`, { toolTimeout: 400 });
    expect(toolResults).toMatchObject([
      { toolName: 'api_call', success: false, error: expect.stringContaining('400 ms') },
    ]);
    expect(toolResults[0].error).toContain('options.toolTimeout');
    expect(response).toContain('400 ms');
    expect(metadata.toolsExecuted).toBe(1);
    peer.release(path);
  });

  test('maxToolRetries is how often one that fails for a while is tried again', async () => {
    const requestsWith = async (options: object): Promise<number> => {
      const path = `/down-${randomUUID()}`;
      const { toolResults } = await ruled(`fetch ${failing.url}${path}`, options);
      expect(toolResults).toMatchObject([{ toolName: 'api_call', result: { status: 503 } }]);
      return failing.count(path);
    };
    expect(await requestsWith({ maxToolRetries: 0 })).toBe(1);
    expect(await requestsWith({ maxToolRetries: 1 })).toBe(2);
    // TOOL_MAX_ATTEMPTS
    expect(await requestsWith({})).toBe(3);
  });
});

test('memorySearchTerms are looked for as well, each by itself', async () => {
  const tea = await addEpisodic(service, { userId, content: 'the assam comes from the shop at the harbour' });
  const boat = await addSemantic(service, { userId, concept: 'dinghy', description: 'moored at pier nine' });
  const found = async (options: object): Promise<string[]> => {
    const { memoryContext } = await ruled('Good day to you', { sessionId: randomUUID(), ...options });
    return idsOf([...memoryContext.episodicMemories, ...memoryContext.semanticMemories]);
  };
  expect(await found({})).not.toEqual(expect.arrayContaining([tea.id]));
  expect(await found({ memorySearchTerms: ['assam'] })).toContain(tea.id);
  expect(await found({ memorySearchTerms: ['assam', 'dinghy'] })).toEqual(
    expect.arrayContaining([tea.id, boat.id]),
  );
});

test('crossSessionMemory false keeps to the session; what is known belongs to none', async () => {
  const here = await addEpisodic(service, { userId, sessionId: 'here', content: 'the bicycle is red' });
  const there = await addEpisodic(service, { userId, sessionId: 'there', content: 'the bicycle is new' });
  const known = await addSemantic(service, { userId, concept: 'bicycle', description: 'the red one' });
  const found = async (crossSessionMemory?: boolean): Promise<string[]> => {
    const options = {
      sessionId: 'here',
      memoryThreshold: 0.2,
      ...(crossSessionMemory === undefined ? {} : { crossSessionMemory }),
    };
    const { memoryContext } = await ruled('the bicycle', options);
    return idsOf([...memoryContext.episodicMemories, ...memoryContext.semanticMemories]);
  };
  const kept = await found(false);
  expect(kept).toEqual(expect.arrayContaining([here.id, known.id]));
  expect(kept).not.toContain(there.id);
  for (const all of [await found(), await found(true)]) {
    expect(all).toEqual(expect.arrayContaining([here.id, there.id, known.id]));
  }
});
