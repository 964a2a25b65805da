import { formerQuery, formerTimeout, formerTurn } from '../../../requests/former-requests';

const settings = {
  TOOL_TIMEOUT_MS: 30_000,
  TOOL_MAX_ATTEMPTS: 3,
  PLANNER_MAX_ITERATIONS: 5,
  PLANNER_ALLOW_HOSTS: ['ours.example'],
  PLANNER_ALLOW_FILES: ['data/'],
};
const ports = { settings, defaultProvider: 'hosted' } as const;
const choice = { provider: 'hosted', model: 'small', temperature: 0.2 } as const;
const limits = (timeoutMs: number, source: 'TOOL_TIMEOUT_MS' | 'options.timeout' = 'options.timeout') => ({
  timeoutMs,
  source,
  maxAttempts: 2,
});
const planned = {
  query: 'What is 1 plus 2?',
  choice,
  maxIterations: 9,
  maxReplans: 1,
  toolLimits: limits(60_000),
  modelLimits: { timeoutMs: 1, maxAttempts: 1 },
  allow: { hosts: ['ours.example', 'theirs.example'], files: ['data/'] },
  approval: { tools: 'changing', deadlineMs: 5, onDeadline: 'deny', isListed: true },
  budget: {
    limits: { maxTokens: 100, maxModelCalls: 7 },
    ceilings: { maxModelCalls: 7 },
    onExceeded: 'pause',
    prices: { models: {} },
  },
} as unknown as Parameters<typeof formerQuery>[0];

test('a limit is the one that was asked for, and none above that of today', () => {
  expect(formerTimeout([limits(1_000, 'TOOL_TIMEOUT_MS')], settings)).toBeUndefined();
  expect(formerTimeout([limits(9, 'TOOL_TIMEOUT_MS'), limits(1_000)], settings)).toBe(1_000);
  expect(formerTimeout([limits(60_000)], settings)).toBe(30_000);
});

test('a planned run is asked for again without what the settings said', () => {
  expect(formerQuery(planned, ports)).toEqual({
    query: planned.query,
    options: {
      model: 'small',
      temperature: 0.2,
      maxTokens: undefined,
      topP: undefined,
      timeout: 30_000,
      maxIterations: 5,
      allow: { hosts: ['theirs.example'], files: [] },
      approval: { tools: 'changing', deadlineMs: 5, onDeadline: 'deny', onDenied: undefined },
      budget: { maxTokens: 100, onExceeded: 'pause' },
    },
  });
});

test.each([
  ['of the default provider by its own', choice, 'hosted', 'small'],
  ['of another provider by that of the provider', { provider: 'local', model: 'tiny' }, 'hosted', 'local'],
  ['that does not exist by none', { provider: 'builtin', model: 'builtin' }, undefined, undefined],
] as const)('a model %s name', (_, used, defaultProvider, name) => {
  const request = formerQuery({ ...planned, choice: used }, { settings, defaultProvider });
  expect(request.options?.model).toBe(name);
});

test('a turn is asked for again with the options that it had', () => {
  const turn = {
    ...planned,
    userId: 'ann',
    sessionId: 's',
    hasUsualTemperature: true,
    recall: { terms: ['x'], limit: 4, crossSession: false, recent: 1, withVectors: true },
    classification: { includeReasoning: true, hintIntent: 'question', previousIntents: ['greeting'] },
    responseDetailLevel: 'full',
    instructions: 'Be brief.',
    tools: ['shop.*'],
    responseSchema: { type: 'object' },
  } as unknown as Parameters<typeof formerTurn>[0];
  expect(formerTurn(turn, ports)).toMatchObject({
    query: planned.query,
    options: {
      userId: 'ann',
      sessionId: 's',
      temperature: undefined,
      includeMemoryContext: true,
      memorySearchTerms: ['x'],
      maxMemoryResults: 4,
      crossSessionMemory: false,
      includeReasoning: true,
      hintIntent: 'question',
      previousIntents: ['greeting'],
      maxToolRetries: 1,
      responseDetailLevel: 'full',
      instructions: 'Be brief.',
      tools: ['shop.*'],
      responseSchema: { type: 'object' },
      maxIterations: 5,
      excludeVectors: false,
    },
  });
  expect(formerTurn({ ...turn, recall: undefined }, ports).options.includeMemoryContext).toBe(false);
});
