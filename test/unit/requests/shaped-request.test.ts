import fc from 'fast-check';
import { needsApproval } from '../../../src/contracts/runs/approval-needs';
import type { ToolCall } from '../../../src/contracts/runs/tools';
import { isOffered } from '../../../src/contracts/tool-names';
import { isHoldfastError } from '../../../src/base/errors';
import type { AgentDefinition } from '../../../requests/agent-definitions';
import { type AgentRequest, agentRequestSchemas } from '../../../requests/agent-requests';
import { shapeRequest, type ShapedRequest } from '../../../requests/shaped-request';
import { loadConfig } from '../../../src/settings/config';

const config = loadConfig({});
const settings = { ...config, ceilings: { maxTokens: 5_000 } };
const { execute } = agentRequestSchemas(config);

const TOOLS = ['shop.order', 'shop.find', 'shopping', 'calculator', 'api_call'];
const entries = fc.array(fc.constantFrom(...TOOLS, 'shop*', 'shop.*', '*'), { maxLength: 3 });
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const approval = optional(
  fc.record({
    tools: fc.oneof(
      fc.constantFrom('all' as const, 'changing' as const),
      fc.array(fc.constantFrom(...TOOLS), { minLength: 1, maxLength: 2 }),
    ),
    deadlineMs: optional(fc.integer({ min: 1_000, max: 1_000_000_000 })),
    onDeadline: optional(fc.constantFrom('deny' as const, 'approve' as const, 'fail' as const)),
    onDenied: optional(fc.constantFrom('fail' as const, 'continue' as const)),
  }),
);
const budget = optional(
  fc.record({
    maxTokens: optional(fc.integer({ min: 1, max: 10_000 })),
    maxToolCalls: optional(fc.integer({ min: 0, max: 9 })),
    onExceeded: optional(fc.constantFrom('fail' as const, 'finish' as const, 'pause' as const)),
  }),
);
const maxIterations = optional(fc.integer({ min: 1, max: config.PLANNER_MAX_ITERATIONS }));
const definitions = fc.record({
  tools: optional(entries),
  memory: optional(
    fc.record({
      read: optional(fc.boolean()),
      write: optional(fc.boolean()),
      crossSession: optional(fc.boolean()),
    }),
  ),
  approval,
  budget,
  maxIterations,
});
const requests = fc.record({
  tools: optional(entries),
  includeMemoryContext: fc.boolean(),
  crossSessionMemory: fc.boolean(),
  approval,
  budget,
  maxIterations,
});

const definition = (fields: Partial<AgentDefinition>): AgentDefinition => ({
  name: 'Clerk',
  description: 'Calculates',
  instructions: 'Be brief.',
  ...fields,
});
const request = (options: object): AgentRequest =>
  execute.parse({ query: 'hi', options: { userId: 'ann', sessionId: 's', agent: 'clerk', ...options } });
const shape = (options: object, fields: Partial<AgentDefinition>): ShapedRequest =>
  shapeRequest(request(options), { id: 'clerk', version: 3, definition: definition(fields) }, settings);

/** What no request may make larger: undefined stands for no limit. */
const atMost = (value: number | undefined, ...limits: readonly (number | undefined)[]): boolean =>
  limits.every((limit) => limit === undefined || (value !== undefined && value <= limit));

const call = (toolName: string, method = 'GET'): ToolCall => ({
  toolName,
  args: { method },
  implementation: { kind: 'builtin' },
});

test('a request with an agent never may do more than either of the two allows', () => {
  fc.assert(
    fc.property(definitions, requests, (fields, options) => {
      let shaped: ShapedRequest['options'];
      let remember: boolean;
      try {
        const made = shape(options, fields);
        shaped = made.options;
        remember = made.remember !== false;
      } catch (error) {
        // The only thing that both name and that may have nothing in common.
        expect(isHoldfastError(error) && error.message).toMatch(/may not call/);
        return;
      }
      for (const name of TOOLS)
        expect([name, isOffered(shaped.tools, name)]).toEqual([
          name,
          isOffered(fields.tools, name) && isOffered(options.tools, name),
        ]);
      const { read = true, write = true, crossSession = true } = fields.memory ?? {};
      expect(shaped).toMatchObject({
        includeMemoryContext: options.includeMemoryContext && read,
        crossSessionMemory: options.crossSessionMemory && crossSession,
      });
      expect(remember).toBe(write);
      expect(atMost(shaped.maxIterations, fields.maxIterations, options.maxIterations)).toBe(true);
      for (const limit of ['maxTokens', 'maxToolCalls'] as const)
        expect(atMost(shaped.budget?.[limit], fields.budget?.[limit], options.budget?.[limit])).toBe(true);
      for (const one of [fields.approval, options.approval]) {
        if (one === undefined) continue;
        for (const made of [...TOOLS.map((name) => call(name)), call('api_call', 'POST')])
          if (needsApproval(made, one))
            expect(needsApproval(made, shaped.approval ?? { tools: [] })).toBe(true);
        expect(atMost(shaped.approval?.deadlineMs, one.deadlineMs)).toBe(true);
        if (one.onDenied === 'fail') expect(shaped.approval?.onDenied).toBe('fail');
        if (shaped.approval?.onDeadline === 'approve') expect(one.onDeadline).toBe('approve');
      }
      if (fields.budget?.onExceeded !== undefined && shaped.budget?.onExceeded === 'pause')
        expect(fields.budget.onExceeded).toBe('pause');
    }),
    { numRuns: 150 },
  );
});

test('the instructions of the agent come first, and the version is noted', () => {
  const { options, agent } = shape({ instructions: 'Speak French.' }, {});
  expect(options.instructions).toBe('Be brief.\n\nSpeak French.');
  expect(agent).toEqual({ id: 'clerk', version: 3 });
  expect(options).not.toHaveProperty('agent');
});

test('a model, a temperature and a schema of the agent stay, and another one is refused', () => {
  const fields = { model: 'hosted', temperature: 0.1, responseSchema: { type: 'object', maxProperties: 1 } };
  const shaped = shape({ responseSchema: { maxProperties: 1, type: 'object' } }, fields);
  expect(shaped.options).toMatchObject(fields);
  for (const [field, value] of Object.entries({ model: 'local', temperature: 0.2, responseSchema: {} }))
    expect(() => shape({ [field]: value }, fields)).toThrow(`another ${field}`);
  expect(shape({ model: 'local' }, {}).options.model).toBe('local');
});

test('an entry of the request that allows none of the tools of the agent is named', () => {
  const tools = ['shop.*'];
  expect(shape({ tools: ['shop.find'] }, { tools }).options.tools).toEqual(['shop.find']);
  expect(shape({ tools: ['*'] }, { tools }).options.tools).toEqual(tools);
  expect(() => shape({ tools: ['shop.find', 'calculator'] }, { tools })).toThrow('may not call "calculator"');
  expect(shape({ tools: [] }, { tools }).options.tools).toEqual([]);
});

test('a limit of a stored definition that is above the settings of today is that of the settings', () => {
  const { options } = shape({}, { budget: { maxTokens: 9_000 }, maxIterations: 1_000 });
  expect(options.budget).toMatchObject({ maxTokens: 5_000 });
  expect(options.maxIterations).toBe(config.PLANNER_MAX_ITERATIONS);
});
