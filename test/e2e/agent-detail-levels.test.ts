import { answerOf, ask, classifiesAs, initializeAgent, playsAgent } from '../support/agent';
import { addEpisodic, addSemantic, newUser } from '../support/memories';
import { fails } from '../support/model-server';
import { type ModelService } from '../support/model-service';
import { useModelService } from '../support/use-service';

let service: ModelService;
let userId: string;

beforeAll(async () => {
  service = await useModelService();
  await initializeAgent(service);
});
afterAll(() => service.stop());
beforeEach(() => {
  userId = newUser();
  service.hosted.reset();
  service.hosted.otherwise(playsAgent({}));
});

const modelled = (query: string, options: object = {}) =>
  answerOf(ask(service, query, { userId, ...options }));
/** Asks the agent with rules alone. */
const ruled = (query: string, options: object = {}) => modelled(query, { model: 'builtin', ...options });

describe('responseDetailLevel', () => {
  const STANDARD_METADATA = [
    'confidence',
    'degraded',
    'executionTime',
    'intentClassificationTime',
    'llmResponseTime',
    'memoryRetrieved',
    'memorySearchTime',
    'memoryStoreTime',
    'modelUsed',
    'provider',
    'remembered',
    'sessionWaitTime',
    'sources',
    'toolExecutionTime',
    'toolsExecuted',
  ];
  const STANDARD = [
    'intent',
    'memoryContext',
    'metadata',
    'reasoning',
    'response',
    'success',
    'toolResults',
    'usage',
  ];
  const keys = (value: object): string[] => Object.keys(value).sort();
  const at = (responseDetailLevel?: string) =>
    ruled('tell me of the park', responseDetailLevel === undefined ? {} : { responseDetailLevel });

  beforeEach(() => addSemantic(service, { userId, concept: 'park', description: 'tell of the park' }));

  test('minimal has the reply, what it was taken for and what it used, and nothing else', async () => {
    const data = await at('minimal');
    expect(keys(data)).toEqual(['intent', 'response', 'success', 'usage']);
    expect(keys(data.intent)).toEqual(['confidence', 'type']);
  });

  test('minimal tells what the turn had to do without', async () => {
    service.hosted.otherwise(fails(400));
    const data = await modelled('tell me of the park', { responseDetailLevel: 'minimal' });
    expect(keys(data)).toEqual(['degraded', 'intent', 'response', 'success', 'usage']);
    expect(data.degraded[0]).toMatchObject({ service: 'llm', reason: expect.any(String) });
  });

  test.each([['standard'], [undefined]])('%s has memories without vectors', async (level) => {
    const data = await at(level);
    expect(keys(data)).toEqual(STANDARD);
    expect(keys(data.metadata)).toEqual(STANDARD_METADATA);
    expect(keys(data.intent)).toEqual(['confidence', 'memoryContext', 'reasoning', 'requiredTools', 'type']);
    expect(data.memoryContext.semanticMemories).toHaveLength(1);
    expect(data.memoryContext.semanticMemories[0]).not.toHaveProperty('embedding');
  });

  test('full has vectors, and how it came about as well', async () => {
    const data = await at('full');
    expect(keys(data)).toEqual(STANDARD);
    expect(keys(data.metadata)).toEqual(
      [...STANDARD_METADATA, 'classification', 'executionPlan', 'usage'].sort(),
    );
    expect(data.metadata.usage).toMatchObject({ totalTokens: expect.any(Number) });
    expect(data.metadata.classification).toMatchObject({ modelUsed: 'builtin' });
    expect(data.metadata.executionPlan).toMatchObject({ steps: expect.any(Array) });
    expect(data.memoryContext.semanticMemories[0].embedding).toHaveLength(768);
  });

  test('full tells what a model used, over all that it was asked in planning and answering', async () => {
    service.hosted.otherwise(playsAgent({ classify: classifiesAs('tool_execution') }));
    const data = await modelled('Do it', { responseDetailLevel: 'full' });
    expect(data.metadata.usage).toEqual({ promptTokens: 10, completionTokens: 5, totalTokens: 15 });
  });
});

test.each([
  ['standard', true, false],
  ['standard', false, true],
  ['standard', undefined, false],
  ['full', true, false],
  ['full', false, true],
  ['full', undefined, true],
] as const)('at level %s with excludeVectors %s there are vectors: %s', async (level, exclude, present) => {
  await addSemantic(service, { userId, concept: 'park', description: 'a place to walk in' });
  await addEpisodic(service, { userId, content: 'a walk in the park' });
  const { memoryContext } = await ruled('a place to walk in the park', {
    responseDetailLevel: level,
    ...(exclude === undefined ? {} : { excludeVectors: exclude }),
  });
  const [semantic] = memoryContext.semanticMemories;
  expect(semantic.concept).toBe('park');
  expect('embedding' in semantic).toBe(present);
  if (present) {
    const length = Math.hypot(...semantic.embedding);
    expect([semantic.embedding.length, Math.abs(length - 1) < 1e-3]).toEqual([768, true]);
  }
  for (const event of memoryContext.episodicMemories) expect(event).not.toHaveProperty('embedding');
});
