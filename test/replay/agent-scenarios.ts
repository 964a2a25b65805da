import { classifiesAs } from '../support/agent';
import {
  type Behaviour,
  callsTools,
  fails,
  knowsNoModel,
  says,
  saysJson,
  slowly,
} from '../support/model-server';
import { calculates } from '../support/model-service';
import { asksAgent } from '../support/team-of-agents';
import type { ModelScenario } from './model-scenarios';

/** Long enough for the next turn to arrive and to ask this one. */
const SLOW_MS = 1_500;

const ADDER = { name: 'Adder', description: 'Adds', instructions: 'You add.' };

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
    {
      ...byModel('named', 'Good day', classifiesAs('conversation'), says('Aye.')),
      before: [
        ...ready,
        {
          method: 'PUT',
          path: '/api/agents/clerk',
          body: {
            name: 'Clerk',
            description: 'Remembers nothing',
            instructions: 'Be brief.',
            memory: { write: false },
          },
        },
      ],
      body: bodyOf('Good day', { agent: 'clerk' }),
    },
    byModel('tools', 'Add one and two', classifiesAs('hybrid'), sum, says('It is 3.')),
    byModel(
      'unsolved',
      'Divide one by nothing',
      classifiesAs('tool_execution'),
      callsTools([calculates('divide', 1, 0)]),
      says('I cannot.'),
      says('That cannot be done.'),
    ),
    {
      ...byModel(
        'calls-agent',
        'Have one and two added',
        classifiesAs('tool_execution'),
        // Rules classify this one.
        callsTools([asksAgent('adder', 'Add one and two')]),
        sum,
        says('Three.'),
        says('The adder says three.'),
      ),
      before: [
        ...ready,
        { method: 'PUT', path: '/api/agents/adder', body: { ...ADDER, approval: { tools: ['calculator'] } } },
        { method: 'PUT', path: '/api/agents/head', body: { ...ADDER, agents: ['adder'] } },
      ],
      body: bodyOf('Have one and two added', { agent: 'head' }),
      approval: { answer: { decision: 'approve' } },
      calledTurn: 'agentTurn-called',
    },
    byModel('failed-model', 'What is 15 times 7?', ...Array.from({ length: 6 }, () => fails(400))),
    {
      ...byModel(
        'shaped',
        'Add one and two',
        classifiesAs('conversation'),
        sum,
        says('It is 3.'),
        saysJson({ sum: 3 }),
      ),
      body: bodyOf('Add one and two', {
        instructions: 'Answer in the fewest words.',
        tools: ['calculator'],
        responseSchema: { type: 'object', properties: { sum: { type: 'number' } } },
      }),
    },
    byModel('unknown-model', 'Good day', knowsNoModel()),
    behind('behind-another', { name: 'agentTurn-before-another' }),
    { name: 'agentSelfTest-answered', before: ready, path: '/api/agent/test', body: {}, model: [] },
  ];
}
