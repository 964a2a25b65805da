import { classifiesAs } from '../support/agent';
import { type Behaviour, callsTools, fails, knowsNoModel, says, slowly } from '../support/model-server';
import { calculates } from '../support/model-service';
import type { ModelScenario } from './model-scenarios';

/** Long enough for the next turn to arrive and to ask this one. */
const SLOW_MS = 1_500;

/** Turns of the agent by rules and by a model, and its self-test. The embedding model is that of the settings. */
export function agentScenarios(): ModelScenario[] {
  const path = '/api/agent/execute';
  const ready = [
    { path: '/api/memory/reindex', body: {} },
    { path: '/api/agent/initialize', body: {} },
  ];
  const bodyOf = (query: string, options: object = {}) => ({
    query,
    options: { userId: 'ben', sessionId: 'session-1', ...options },
  });
  const byModel = (name: string, query: string, ...model: Behaviour[]): ModelScenario => ({
    name: `agentTurn-${name}`,
    before: ready,
    path,
    body: bodyOf(query),
    model,
  });
  /** @param earlier messages of the user in another session */
  const byRules = (
    name: string,
    query: string,
    earlier: readonly string[] = [],
    options = {},
  ): ModelScenario => ({
    ...byModel(`rules-${name}`, query),
    before: [
      ...ready,
      ...earlier.map((said) => ({ path, body: bodyOf(said, { sessionId: 'before', model: 'builtin' }) })),
    ],
    body: bodyOf(query, { model: 'builtin', ...options }),
  });
  const sum = callsTools([calculates('add', 1, 2)]);
  /** A turn that arrives while the one before it waits for a slow model. */
  const behind = (
    name: string,
    ahead: Omit<NonNullable<ModelScenario['ahead']>, 'path' | 'body'> = {},
  ): ModelScenario => ({
    ...byModel(name, 'And you?', slowly(SLOW_MS, classifiesAs('conversation')), says('Good day.')),
    body: bodyOf('What is 2 times 3?', { model: 'builtin' }),
    ahead: { path, body: bodyOf('Good day'), ...ahead },
  });
  return [
    {
      ...byRules('denied-call', 'What is 15 times 7?', [], { approval: { tools: 'all' } }),
      approval: { name: 'approval-denied', answer: { decision: 'deny', comment: 'not now' } },
    },
    byRules('hybrid', 'How many litres did I say I use per week, times 4?', [
      'I use 40 litres of water per week',
    ]),
    byModel('tools', 'Add one and two', classifiesAs('hybrid'), sum, says('It is 3.')),
    byModel(
      'unsolved',
      'Divide one by nothing',
      classifiesAs('tool_execution'),
      callsTools([calculates('divide', 1, 0)]),
      says('I cannot.'),
      says('That cannot be done.'),
    ),
    byModel('failed-model', 'What is 15 times 7?', ...Array.from({ length: 6 }, () => fails(400))),
    byModel('unknown-model', 'Good day', knowsNoModel()),
    // Builds without notifications waited by asking the turn before repeatedly.
    behind('after-another'),
    behind('behind-another', { name: 'agentTurn-before-another' }),
    { name: 'agentSelfTest-answered', before: ready, path: '/api/agent/test', body: {}, model: [] },
  ];
}
