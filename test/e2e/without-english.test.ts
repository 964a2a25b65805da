import { answerOf, ask, classifiesAs, initializeAgent, plansInTurn, playsAgent } from '../support/agent';
import type { Answer } from '../support/http';
import { LEXICAL, addEpisodic, idsOf, newUser, searchEpisodic } from '../support/memories';
import { chat, historyOf, initializeMemoryChat } from '../support/memory-chat';
import { fails, type ModelServer, startModelServer } from '../support/model-server';
import { calculates, hostedBy } from '../support/model-service';
import { type Service, startService } from '../support/service';
import type { TempDir } from '../support/temp-dir';
import { buildWithoutEnglish } from '../support/without-english';
import { askStep, customBody } from '../support/workflow-steps';

const REASON = 'the built-in rules are off (PLAIN_ENGLISH) or not installed';
const llm = (consequence: string) => ({
  service: 'llm',
  reason: expect.stringContaining(REASON),
  consequence,
});

let removed: TempDir;
beforeAll(() => {
  removed = buildWithoutEnglish();
});
afterAll(() => removed.remove());

describe.each([
  ['switched off', () => startService({ ...LEXICAL, PLAIN_ENGLISH: 'off' })],
  ['removed', () => startService(LEXICAL, { root: removed.path })],
])('with the rules %s and no model', (how, start) => {
  let service: Service;
  beforeAll(async () => {
    service = await start();
  });
  afterAll(() => service.stop());

  test('the log says so where the package is missing', () => {
    const warnings = service.process.lines.filter(({ msg }) => msg.includes('plain-english'));
    expect(warnings.map(({ msg }) => msg)).toEqual(
      how === 'removed' ? [expect.stringMatching(/not installed.*as with PLAIN_ENGLISH=off/)] : [],
    );
  });

  const SENTENCES: [string, object][] = [
    ['/api/tools/mcp', { query: 'multiply 6 by 7' }],
    ['/api/workflow/execute', { query: 'multiply 6 by 7' }],
    ['/api/tools/execute-with-llm', { toolName: 'calculator', query: 'multiply 6 by 7' }],
    ['/api/workflow/execute-custom', customBody([askStep('say', 'Repeat: hello')])],
  ];
  test.each(SENTENCES)('%s answers 503 with the reason', async (path, body) => {
    const answer = await service.post(path, body);
    expect([answer.status, answer.body]).toMatchObject([
      503,
      {
        success: false,
        message: 'Model not configured',
        error: expect.stringContaining(REASON),
        details: { provider: 'builtin', setting: 'PLAIN_ENGLISH' },
      },
    ]);
  });

  test('the intent classifier answers 503 with the reason', async () => {
    const answers = [
      await service.post('/api/intent-classifier/initialize', {}),
      await service.post('/api/intent-classifier/classify', {
        query: 'hello',
        options: { userId: 'u', sessionId: 's' },
      }),
    ];
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([
        503,
        expect.objectContaining({ error: 'Model not configured', message: expect.stringContaining(REASON) }),
      ]);
    }
  });

  test('a turn of the agent quotes memory, says what it did without, and is remembered', async () => {
    const userId = newUser();
    await initializeAgent(service);
    const { id } = await addEpisodic(service, { userId, content: 'My sister Ola lives in Lisbon' });
    const turn = await answerOf(ask(service, 'Where does my sister Ola live?', { userId }));
    expect(turn).toMatchObject({
      response: expect.stringContaining('“My sister Ola lives in Lisbon”'),
      intent: { type: 'conversation', confidence: 0 },
      metadata: {
        degraded: [llm('the query was not classified'), llm('memories were quoted')],
        remembered: true,
        sources: [id],
        provider: 'none',
        modelUsed: 'none',
      },
    });
  });

  test('a message of memory chat is kept, and its answer says why it is none', async () => {
    const userId = newUser();
    expect((await initializeMemoryChat(service)).status).toBe(200);
    const { status, body } = await chat(service, { userId, message: 'What is 6 times 7?' });
    expect([status, body.data]).toEqual([
      200,
      expect.objectContaining({
        message: expect.stringContaining(REASON),
        degraded: [llm('the message was not answered')],
        metadata: expect.objectContaining({ provider: 'none', modelUsed: 'none' }),
      }),
    ]);
    const kept = (await historyOf(service, userId)).map(({ content }) => content);
    expect(kept).toEqual(['What is 6 times 7?', body.data.message]);
  });

  test('what needs no sentence to be read works as before', async () => {
    const ran = await service.post('/api/tools/execute', {
      toolName: 'calculator',
      args: { operation: 'multiply', a: 6, b: 7 },
    });
    expect([ran.status, ran.body.data.result]).toEqual([200, 42]);
    const userId = newUser();
    const { id } = await addEpisodic(service, { userId, content: 'a walk along the river' });
    const found = await searchEpisodic(service, { userId, query: 'river' });
    expect(idsOf(found.body.data)).toEqual([id]);
    const status: Answer = await service.get('/api/agent/status');
    expect(status.body.data.llmService).toEqual({ providers: [], currentModel: 'none' });
    // A status has no reason if every store is reachable.
    expect(status.body.data.memoryService).toEqual({ graphdb: 'connected', vectordb: 'connected' });
    expect((await service.get('/api/health')).status).toBe(200);
  });
});

describe('with the rules switched off and a hosted model', () => {
  let models: ModelServer;
  let service: Service;
  const userId = newUser();

  beforeAll(async () => {
    models = await startModelServer();
    const brief = { LLM_MAX_ATTEMPTS: '1', LLM_TIMEOUT_MS: '5000' };
    service = await startService({ ...LEXICAL, ...hostedBy(models), ...brief, PLAIN_ENGLISH: 'off' });
    await initializeAgent(service);
  });
  afterAll(async () => {
    await service.stop();
    await models.close();
  });
  beforeEach(() => models.reset());

  test('the model classifies, plans and answers alone', async () => {
    const plan = plansInTurn([calculates('multiply', 6, 7)], 'That makes 42.');
    models.otherwise(playsAgent({ classify: classifiesAs('tool_execution', ['calculator']), plan }));
    const turn = await answerOf(ask(service, 'What is 6 times 7?', { userId }));
    expect(turn).toMatchObject({ response: 'That makes 42.', metadata: { degraded: [] } });
  });

  test('a model that cannot be asked fails no turn, since none is known to need tools', async () => {
    models.otherwise(fails(500));
    const turn = await answerOf(ask(service, 'What is 6 times 7?', { userId }));
    expect(turn.metadata.degraded.map(({ consequence }: { consequence: string }) => consequence)).toEqual([
      'the query was not classified',
      expect.stringMatching(/the message was not answered|memories were quoted/),
    ]);
  });

  test('a classification whose model fails is an error, since no rules can stand in', async () => {
    expect((await service.post('/api/intent-classifier/initialize', {})).status).toBe(200);
    models.otherwise(fails(500));
    const options = { userId, sessionId: 's', fallback: true, maxRetries: 1 };
    const { status, body } = await service.post('/api/intent-classifier/classify', {
      query: 'hello',
      options,
    });
    expect([status, body.error]).toEqual([500, 'Classification failed']);
  });
});
