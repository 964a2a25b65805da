import { inspect } from 'node:util';
import { z } from 'zod';
import type { Generated, ToolDescription } from '../../../src/contracts/http/llm';
import type { HoldfastError } from '../../../src/base/errors';
import { createOpenAiProvider, type OpenAiProviderOptions } from '../../../src/llm/openai/openai-provider';
import { toInputSchema } from '../../../src/contracts/http/tool-schemas';
import type { CallContext, LlmProvider, ToolChoiceContext } from '../../../src/llm/provider';
import { callChecks } from '../../support/argument-checks';
import { type Behaviour, callsTools, type ModelServer, says, saysJson } from '../../support/model-server';

/** A key without a prefix that a pattern could recognize. */
export const KEY = 'T0p-Secret-Value-4711';
export const HELLO = { messages: [{ role: 'user', content: 'Hello there' }] } as const;

export const WEATHER: ToolDescription = {
  name: 'weather',
  description: 'Weather of a place',
  inputSchema: toInputSchema({
    city: { type: 'string', description: 'Name', required: true },
    days: { type: 'integer', description: '', required: false },
  }),
};
export const DOTTED: ToolDescription = { name: 'files.read', description: 'Reads', inputSchema: {} };

export const personSchema = z.object({ name: z.string(), age: z.number().int() });

/** A provider of the stub, with waits of a millisecond. */
export function providerOf(server: ModelServer, options: Partial<OpenAiProviderOptions> = {}): LlmProvider {
  return createOpenAiProvider({
    name: 'hosted',
    defaultModel: 'test-model',
    apiKey: KEY,
    baseUrl: server.url,
    maxAttempts: 3,
    retryDelayMs: () => 1,
    ...options,
  });
}

export function context(overrides: Partial<CallContext> = {}): CallContext {
  return { signal: new AbortController().signal, timeoutMs: 10_000, ...overrides };
}

/** The context of a choice of tools. */
export function choosing(overrides: Partial<CallContext> = {}): ToolChoiceContext {
  return { ...callChecks, ...context(overrides) };
}

/** Every method of a provider, with an answer that the method accepts. */
export interface Method {
  readonly method: keyof LlmProvider | 'chat aloud';
  readonly good: Behaviour;
  readonly call: (provider: LlmProvider, context: CallContext, model?: string) => Promise<Generated>;
}

const asking = (model?: string) => ({ ...HELLO, ...(model === undefined ? {} : { model }) });

export const METHODS: readonly Method[] = [
  { method: 'chat', good: says('Hi'), call: (llm, limits, model) => llm.chat(asking(model), limits) },
  {
    method: 'structured',
    good: saysJson({ name: 'Ada', age: 36 }),
    call: (llm, limits, model) =>
      llm.structured({ ...asking(model), schema: personSchema, schemaName: 'person' }, limits),
  },
  {
    method: 'chooseTools',
    good: callsTools([{ name: 'weather', args: { city: 'Oslo' } }]),
    call: (llm, limits, model) =>
      llm.chooseTools({ ...asking(model), tools: [WEATHER], choice: 'auto' }, { ...callChecks, ...limits }),
  },
  {
    method: 'chat aloud',
    good: says('Hi you'),
    call: (llm, limits, model) => llm.chat(asking(model), { ...limits, onText: () => undefined }),
  },
];

/** The error of a call. The test fails if the call succeeds. */
export async function errorOf(work: Promise<unknown>): Promise<HoldfastError> {
  try {
    await work;
  } catch (error) {
    return error as HoldfastError;
  }
  throw new Error('expected a rejection');
}

/** All text of an error that a log or an answer could contain. */
export function everythingIn(error: unknown): string {
  const { message, stack, details, cause } = error as HoldfastError;
  return [
    JSON.stringify(error),
    inspect(error, { depth: Infinity, showHidden: true, getters: true }),
    JSON.stringify({ message, stack, details }),
    inspect(cause, { depth: Infinity, showHidden: true }),
  ].join('\n');
}
