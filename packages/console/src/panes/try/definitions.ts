import { useEffect, useState } from 'preact/hooks';
import { useAsked } from '../../api/ask';
import { client, dataOf, read, send } from '../../api/client';
import { mistakesOf, type Schema } from '../../parts/schema';
import { may, mayForAll } from '../../session';
import { type Mark, markProblems } from './json-places';
import type { RunPath } from './run-form';

type Value = Readonly<Record<string, unknown>>;

/** What can be written as JSON, stored under an id, and run. */
export interface DefinitionKind {
  readonly name: string;
  readonly first: Value;
  readonly list: (signal?: AbortSignal) => Promise<readonly (readonly [id: string, about: string])[]>;
  /** Reads one that is stored, as it would be written. */
  readonly read: (id: string, signal: AbortSignal) => Promise<Value>;
  readonly mayStore: () => boolean;
  readonly store: (id: string, value: Value) => Promise<unknown>;
  /** Finds what is wrong; undefined: it is being found. */
  readonly useMarks: (text: string, value: Value | undefined) => readonly Mark[] | undefined;
  readonly path: RunPath;
  /** What a run is to be given. */
  readonly schemaOf: (value: Value) => Schema;
  readonly toBody: (id: string, value: Value, written: Value) => object;
}

const REQUIRED = { type: 'object', required: ['name', 'description', 'instructions'] };

export const AGENT: DefinitionKind = {
  name: 'agent',
  first: {
    name: 'Clerk',
    description: 'Calculates prices, and nothing else',
    instructions: 'You are the clerk of a small shop. Answer in one sentence.',
    tools: ['calculator'],
    memory: { write: false },
  },
  list: async (signal) =>
    (await read('/api/agents', {}, signal)).agents.map(({ id, description }) => [id, description]),
  async read(id, signal) {
    const stored = await read('/api/agents/{id}', { path: { id } }, signal);
    const { id: _, version: __, versions: ___, createdAt: ____, updatedAt: _____, ...definition } = stored;
    return definition;
  },
  mayStore: () => mayForAll('tools'),
  store: (id, value) => send('PUT', '/api/agents/{id}', { id }, value),
  useMarks: (_, value) => mistakesOf(value, REQUIRED).map((message) => ({ line: 1, message })),
  path: '/api/agent/execute',
  schemaOf: () => ({
    properties: {
      query: { type: 'string' },
      userId: { type: 'string', description: 'Whose memories it may search; default console' },
    },
    required: ['query'],
  }),
  toBody: (agent, _, { query, userId = 'console' }) => ({
    query,
    options: { agent, userId, sessionId: `console-${agent}` },
  }),
};

export const WORKFLOW: DefinitionKind = {
  name: 'workflow',
  first: {
    name: 'Sum',
    steps: [
      {
        id: 'sum',
        type: 'tool_execution',
        config: { toolName: 'calculator', args: { operation: 'add', a: '{{input.a}}', b: 2 } },
      },
    ],
  },
  list: async (signal) =>
    (await read('/api/workflow/workflows', {}, signal)).workflows.map(({ id, name }) => [id, name]),
  async read(id, signal) {
    const stored = await read('/api/workflow/workflows/{id}', { path: { id } }, signal);
    const { name, description, inputSchema, steps } = stored;
    const isTaking = Object.keys(inputSchema['properties'] ?? {}).length > 0;
    // The service fills the names and descriptions of steps that have none.
    return {
      name,
      description,
      inputs: isTaking ? inputSchema : undefined,
      steps: steps.map(({ name: shown, description: about, ...step }) => ({
        ...step,
        name: shown === step.id ? undefined : shown,
        description: about === '' ? undefined : about,
      })),
    };
  },
  mayStore: () => may('tools'),
  // Stored workflows declare the inputs that they take.
  store: (id, value) =>
    send('POST', '/api/workflow/workflows', {}, { ...value, id, inputs: value['inputs'] ?? inputsIn(value) }),
  useMarks: useProblems,
  path: '/api/workflow/execute-custom',
  schemaOf: (value) => {
    const inputs = (value['inputs'] ?? inputsIn(value)) as Schema;
    return inputs.type === 'object' ? inputs : { properties: inputs as Schema['properties'] & object };
  },
  toBody: (_, { inputs: __, ...workflow }, inputs) => ({ workflow, inputs }),
};

/** The inputs that the templates of a workflow name. */
function inputsIn({ steps }: Value): Readonly<Record<string, object>> {
  const named = JSON.stringify(steps ?? '').matchAll(/\{\{[^}]*?\binput\.(\w+)/g);
  return Object.fromEntries([...named].map(([, name = '']) => [name, {}]));
}

const PAUSE_MS = 300;

/** Lets the service check a workflow when its writer pauses. */
function useProblems(text: string, value: Value | undefined): readonly Mark[] | undefined {
  const { inputs: _, ...workflow } = value ?? {};
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const isSettled = settled === text && value !== undefined;
  const { data } = useAsked(isSettled ? `check ${text}` : undefined, (signal) =>
    dataOf(client.value.POST('/api/workflow/validate', { body: { workflow }, signal })),
  );
  return data && markProblems(text, data.problems);
}
