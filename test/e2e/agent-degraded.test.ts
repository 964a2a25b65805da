import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import {
  answerOf,
  ask,
  asked,
  classifiesAs,
  initializeAgent,
  plansInTurn,
  playsAgent,
} from '../support/agent';
import { freePort } from '../support/free-port';
import { LEXICAL, addEpisodic, countMemories, newUser } from '../support/memories';
import {
  babbles,
  type Behaviour,
  callsTools,
  drops,
  fails,
  hangs,
  knowsNoModel,
  type ModelServer,
  refusesKey,
  says,
  startModelServer,
} from '../support/model-server';
import { calculates, hostedBy, outcomesIn } from '../support/model-service';
import { type Service, startService } from '../support/service';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

const llm = (consequence: string) => ({ service: 'llm', reason: expect.any(String), consequence });
const CLASSIFIED = llm('the built-in rules classified the query');
const ANSWERED = llm('the built-in rules answered');
const MEMORY_TIMEOUT_MS = 1_500;
const BRIEFLY = { CONVERSATION_MEMORY_TIMEOUT_MS: String(MEMORY_TIMEOUT_MS) };

let userId: string;
beforeEach(() => {
  userId = newUser();
});

describe('a model that fails', () => {
  let models: ModelServer;
  let service: Service;

  beforeAll(async () => {
    models = await startModelServer();
    service = await startService({
      ...LEXICAL,
      ...hostedBy(models),
      LOCAL_LLM_BASE_URL: `http://127.0.0.1:${await freePort()}/v1`,
      LLM_TIMEOUT_MS: '1500',
      LLM_MAX_ATTEMPTS: '1',
    });
    await initializeAgent(service);
  });
  afterAll(async () => {
    await service.stop();
    await models.close();
  });
  beforeEach(() => models.reset());

  const turn = (query: string, options: object = {}) => answerOf(ask(service, query, { userId, ...options }));

  const outages: [string, string, Behaviour][] = [
    ['that cannot be reached', 'local', drops()],
    ['that closes the connection', 'hosted', drops()],
    ['with a 500', 'hosted', fails(500)],
    ['with a 401', 'hosted', refusesKey()],
    ['with garbage', 'hosted', babbles()],
    ['that never answers', 'hosted', hangs()],
  ];
  test.each(outages)(
    '%s is made good by rules where they only classify and answer, which the answer says for each step',
    async (_case, model, outage) => {
      // Rules that are sure classify for a local model in any case.
      const made = model === 'local' ? [ANSWERED] : [CLASSIFIED, ANSWERED];
      models.otherwise(outage);
      const answer = await turn('My name is Dana', { model });
      expect(answer.metadata.degraded).toEqual(made);
      const name = await turn('What is my name?', { model, sessionId: 'another' });
      expect(name.response).toContain('Dana');
      expect(name.metadata).toMatchObject({ provider: 'builtin', degraded: made });
      for (const { reason } of name.metadata.degraded) expect(reason).not.toBe('');
    },
  );

  const planning = { classify: classifiesAs('tool_execution', ['calculator']) };
  test.each<[string, string, Behaviour, number, string]>([
    ['everywhere, out of reach', 'local', drops(), 503, 'Model unavailable'],
    ['everywhere with a 500', 'hosted', fails(500), 503, 'Model unavailable'],
    ['everywhere, without an answer', 'hosted', hangs(), 500, 'Model timeout'],
    ['at the planning', 'hosted', playsAgent({ ...planning, plan: fails(500) }), 503, 'Model unavailable'],
    [
      'at the planning with a call of no tool',
      'hosted',
      playsAgent({ ...planning, plan: callsTools([{ name: 'teleport', args: {} }]) }),
      500,
      'Model output invalid',
    ],
  ])(
    '%s fails the turn that needs tools, and what the user said is remembered',
    async (_case, model, outage, status, error) => {
      models.otherwise(outage);
      const query = 'I have a cat called Tom. What is 15 times 7?';
      const asking = { userId, model, hintIntent: 'tool_execution' };
      const answer = await ask(service, query, asking);
      expect([answer.status, answer.body]).toMatchObject([status, { success: false, error }]);
      expect(await countMemories(service, userId)).toMatchObject({ episodic: 1 });
      const cat = await turn('What is the name of my cat?', { model: 'builtin', sessionId: 'another' });
      expect(cat.memoryContext.episodicMemories[0]).toMatchObject({ content: query });
    },
  );

  test.each([
    ['Who are you?', 'hosted', /did not answer/],
    ['Who are you?', 'builtin', /No language model was asked/],
    ['Who discovered the planet Zorgon?', 'hosted', /did not answer/],
  ])('is not said to be missing: %s, %s', async (query, model, words) => {
    models.otherwise(fails(500));
    const { response } = await turn(query, { model });
    expect(response).toMatch(words);
    expect(response).not.toMatch(/configure/);
  });

  test('because it has another name than the one asked for is an error of the request', async () => {
    models.otherwise(knowsNoModel());
    const { status, body } = await ask(service, 'Good day', { userId, model: 'gpt-99' });
    expect([status, body]).toMatchObject([
      400,
      {
        success: false,
        error: 'Unknown model',
        message: expect.stringContaining('gpt-99'),
        details: expect.objectContaining({ provider: 'hosted', model: 'gpt-99' }),
      },
    ]);
    expect(await countMemories(service, userId)).toEqual({ episodic: 0, semantic: 0 });
  });

  test('only at the answer is made good there alone', async () => {
    models.otherwise(playsAgent({ answer: fails(500) }));
    const { metadata, response } = await turn('Good day');
    expect(metadata).toMatchObject({ provider: 'builtin', degraded: [ANSWERED] });
    expect(response).not.toBe('');
  });

  test('only at the classification lets the model answer', async () => {
    models.otherwise(playsAgent({ classify: fails(500), answer: says('Good day to you.') }));
    const { metadata, response } = await turn('Good day');
    expect(metadata).toMatchObject({ provider: 'hosted', degraded: [CLASSIFIED] });
    expect(response).toBe('Good day to you.');
  });

  test('after a tool has run keeps what that gave', async () => {
    const plan: Behaviour = (request, response) =>
      (asked(models.requests, 'plan').length === 1
        ? callsTools([calculates('multiply', 15, 7)])
        : fails(500))(request, response);
    models.otherwise(playsAgent({ classify: classifiesAs('tool_execution'), plan, answer: fails(500) }));
    const { toolResults, metadata, response } = await turn('What is 15 times 7, dear?');
    expect(toolResults).toMatchObject([{ toolName: 'calculator', success: true, result: 105 }]);
    expect(response).toContain('105');
    expect(metadata.degraded).toContainEqual(ANSWERED);
    expect(metadata.toolProblem).toEqual(expect.any(String));
  });

  test('is asked again by the next turn', async () => {
    models.otherwise(fails(500));
    await turn('Good day');
    models.otherwise(playsAgent({ answer: says('Here I am.') }));
    const { metadata, response } = await turn('Good day');
    expect([response, metadata.degraded]).toEqual(['Here I am.', []]);
  });

  describe('a tool that fails', () => {
    const calculating = { classify: classifiesAs('tool_execution', ['calculator']) };

    test('goes back to the planner, which may find another way', async () => {
      const plan = plansInTurn([calculates('divide', 1, 0), calculates('add', 40, 2)], 'It is 42.');
      models.otherwise(playsAgent({ ...calculating, plan }));
      const { response, toolResults, metadata } = await turn('Work it out');
      expect(response).toBe('It is 42.');
      expect(toolResults).toMatchObject([
        { toolName: 'calculator', success: false, error: expect.stringMatching(/zero/i) },
        { toolName: 'calculator', success: true, result: 42 },
      ]);
      expect(metadata).toMatchObject({ toolsExecuted: 2, degraded: [] });
      expect(outcomesIn(asked(models.requests, 'plan')[1])[0]).toMatch(/zero/i);
      expect(asked(models.requests, 'answer')).toEqual([]);
    });

    test.each([
      ['gives up', plansInTurn([calculates('divide', 1, 0)], 'I cannot.'), 1],
      ['tries it over and over', callsTools([calculates('divide', 1, 0)]), 3],
    ])(
      'and is not solved because the planner %s, is told the model that answers',
      async (_case, plan, calls) => {
        models.otherwise(
          playsAgent({ ...calculating, plan, answer: says('That cannot be divided by zero.') }),
        );
        const { response, toolResults, metadata, success } = await turn('Work it out');
        expect([success, response]).toEqual([true, 'That cannot be divided by zero.']);
        expect(toolResults).toHaveLength(calls);
        for (const result of toolResults) {
          expect(result).toMatchObject({ success: false, error: expect.stringMatching(/zero/i) });
        }
        expect(metadata).toMatchObject({ remembered: true, degraded: [] });
        const [request] = asked(models.requests, 'answer');
        expect(JSON.stringify(request?.body.messages)).toMatch(/division by zero|divided? by zero/i);
      },
    );

    test('and is not solved is told by rules as well', async () => {
      const { response, toolResults } = await turn('What is 5 divided by 0?', { model: 'builtin' });
      expect(toolResults).toMatchObject([{ success: false }]);
      expect(response).toMatch(/zero/i);
    });

    test('and is asked for without end stops at the limit, which is told', async () => {
      let plans = 0;
      // The same call again and again would end the plan sooner.
      const plan: Behaviour = (...asked) => callsTools([calculates('add', (plans += 1), 1)])(...asked);
      models.otherwise(playsAgent({ ...calculating, plan, answer: says('Two.') }));
      const { response, toolResults, metadata } = await turn('Work it out');
      expect(response).toBe('Two.');
      expect(toolResults).toHaveLength(10);
      expect(metadata.toolProblem).toContain('10 iterations');
    });
  });
});

describe('without a store of semantic memories', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ ...LEXICAL, VECTOR_STORE: 'none' });
    await initializeAgent(service);
  });
  afterAll(() => service.stop());

  test('events are searched alone, which every turn that asks memory says', async () => {
    await answerOf(ask(service, 'My name is Dana', { userId }));
    const name = await answerOf(ask(service, 'What is my name?', { userId, sessionId: 'another' }));
    expect(name.response).toContain('Dana');
    expect(name.memoryContext.semanticMemories).toEqual([]);
    expect(name.metadata.degraded).toEqual([
      {
        service: 'vectordb',
        reason: expect.stringContaining('VECTOR_STORE'),
        consequence: 'only episodic memories were searched',
      },
    ]);
    const sum = await answerOf(ask(service, 'What is 2 times 3?', { userId, includeMemoryContext: false }));
    expect(sum.metadata.degraded).toEqual([]);
  });
});

describe('an embedder that is gone', () => {
  test('leaves the search by words, and what cannot be remembered is told', async () => {
    const stage: Stage = await openStage();
    try {
      const before = await stage.allInOne(LEXICAL);
      await initializeAgent(before);
      await answerOf(ask(before, 'My name is Dana', { userId }));
      await before.process.stop();

      const after = await stage.allInOne({
        MEMORY_EMBEDDING_PROVIDER: 'transformers',
        MEMORY_EMBEDDING_HUB_URL: `http://127.0.0.1:${await freePort()}`,
        ...BRIEFLY,
      });
      await initializeAgent(after);
      const { response, metadata } = await answerOf(
        ask(after, 'What is my name?', { userId, sessionId: 'another' }),
      );
      expect(response).toContain('Dana');
      expect(metadata.degraded).toEqual([
        {
          service: 'embedder',
          reason: expect.any(String),
          consequence: 'episodic memories were searched by words alone',
        },
        {
          service: 'embedder',
          reason: expect.any(String),
          consequence: 'semantic memories were searched by words alone',
        },
        { service: 'embedder', reason: expect.any(String), consequence: 'the turn was not remembered' },
      ]);
      expect(metadata.remembered).toBe(false);
    } finally {
      await stage.close();
    }
  });
});

describe('a graph of memories that is away', () => {
  let stage: Stage;
  let api: Api;
  const FILES = ['memory.db', 'memory.db-wal', 'memory.db-shm'];
  const move = (from: string, to: string): void => {
    for (const file of FILES) {
      const path = join(stage.dataDir, file + from);
      if (existsSync(path)) renameSync(path, join(stage.dataDir, file + to));
    }
  };
  const turn = (query: string, options: object = {}) => ask(api, query, { userId, ...options });
  const NOT_REMEMBERED = {
    service: 'graphdb',
    reason: expect.any(String),
    consequence: 'the turn was not remembered',
  };
  const WITHOUT = {
    service: 'graphdb',
    reason: expect.any(String),
    consequence: 'the turn was answered without memory',
  };

  beforeAll(async () => {
    stage = await openStage();
    api = await stage.allInOne({ ...LEXICAL, ...BRIEFLY });
    await initializeAgent(api);
    await addEpisodic(api, { userId: 'dana', content: 'My name is Dana' });
    move('', '.away');
    // An open store notices at its first write that its files are gone.
    await waitFor(async () => (await turn('What is my name?', { userId: 'dana' })).status === 503, {
      what: 'the memories to be out of reach',
    });
  });
  afterAll(() => stage.close());

  test('keeps no turn from being answered that does not live by it, and each says so', async () => {
    const sum = await answerOf(turn('What is 15 times 7?'));
    expect(sum.response).toContain('105');
    expect(sum.metadata).toMatchObject({ remembered: false, degraded: [WITHOUT, NOT_REMEMBERED] });
    expect(sum.memoryContext).toMatchObject({ episodicMemories: [], semanticMemories: [] });
    expect(sum.metadata.memorySearchTime).toBeGreaterThan(0);
    const talk = await answerOf(turn('Hello there!'));
    expect(talk.intent.type).toBe('conversation');
    expect(talk.metadata).toMatchObject({ remembered: false, degraded: [WITHOUT, NOT_REMEMBERED] });
    const half = await answerOf(turn('How many litres did I say I use per week, times 4?'));
    expect(half.intent.type).toBe('hybrid');
    expect(half.response).toContain('I did not look into memory');
    expect(half.metadata).toMatchObject({ remembered: false, degraded: [WITHOUT, NOT_REMEMBERED] });
  });

  test('is only not written to by a turn that does not ask it', async () => {
    const { metadata } = await answerOf(turn('What is 2 times 3?', { includeMemoryContext: false }));
    expect(metadata.degraded).toEqual([NOT_REMEMBERED]);
  });

  test.each(['What did I tell you about my sister?', 'Why is the sky blue?'])(
    'is a 503 for what could be answered from nothing else: %s',
    async (query) => {
      const { status, body } = await turn(query);
      expect([status, body]).toMatchObject([
        503,
        {
          success: false,
          error: 'Memory service unavailable',
          message: expect.any(String),
          details: expect.objectContaining({ service: 'graphdb', reason: expect.any(String) }),
        },
      ]);
      expect(JSON.stringify(body)).not.toMatch(/memory\.db|SQLITE/);
    },
  );

  test('is found again when it is back', async () => {
    move('.away', '');
    const name = await waitFor(
      async () => {
        const { status, body } = await turn('What is my name?', { userId: 'dana' });
        return status === 200 && body.data;
      },
      { what: 'the memories to be back' },
    );
    expect(name.response).toContain('Dana');
    expect(name.metadata).toMatchObject({ remembered: true, degraded: [] });
    // The turns that reported the failure have stored nothing.
    expect(await countMemories(api, userId)).toEqual({ episodic: 0, semantic: 0 });
  });
});
