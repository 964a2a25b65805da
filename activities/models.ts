import { isDeepStrictEqual } from 'node:util';
import { Context } from '@temporalio/activity';
import type { ChatMessage, ChatResult, ProviderName, ToolDescription } from '../src/contracts/http/llm';
import { jsonLength, shorten } from '../src/contracts/json';
import type { GenerateInput, Plan, PlanInput } from '../src/contracts/runs/workflows';
import { HoldfastError, isHoldfastError } from '../src/base/errors';
import { untilAvailable } from '../src/stores/until-available';
import { offeredTools } from '../src/llm/offered-tools';
import type { CallContext, LlmProvider } from '../src/llm/provider';
import { MAX_TOOL_OUTPUT_LENGTH } from '../src/llm/tool-output';
import type { ToolRegistry } from '../src/tools/registry';

export interface ModelActivitiesPorts {
  /** @throws HoldfastError `MODEL_NOT_CONFIGURED` */
  readonly provider: (name: ProviderName) => LlmProvider;
  readonly registry: Pick<ToolRegistry, 'list' | 'getMany'>;
}

/** The steps of every workflow that asks a model. */
export interface ModelActivities {
  /** Which tools to run next, each with the implementation it has now. */
  plan(input: PlanInput): Promise<Plan>;
  generate(input: GenerateInput): Promise<ChatResult>;
}

/** Tool calls that one response of a model may ask for. */
const MAX_CALLS_PER_RESPONSE = 50;

/** A tool that was removed while the model thought. */
const GONE = { implementation: { kind: 'none' }, parameters: undefined } as const;

/** What a step has to work with. */
interface ModelStep {
  /** For a call of the provider, with the time that is left. @throws HoldfastError `MODEL_TIMEOUT` where none is */
  readonly context: () => CallContext;
  /** Reads from the store, again until it answers: a model that has answered is then not asked a second time. */
  readonly stored: <T>(read: () => Promise<T>) => Promise<T>;
}

export function createModelActivities({ provider, registry }: ModelActivitiesPorts): ModelActivities {
  /**
   * Failures of the model may be repeated `maxAttempts` times in all, beside the provider's own retries, and the last of
   * them ends the step. Other retryable failures are repeated until the step's deadline, however many they are.
   */
  async function call<T>(
    { deadline, limits }: Pick<PlanInput, 'deadline' | 'limits'>,
    run: (step: ModelStep) => Promise<T>,
  ): Promise<T> {
    const { cancellationSignal: signal, info, log } = Context.current();
    const context = (): CallContext => {
      const timeoutMs = deadline - Date.now();
      if (timeoutMs <= 0) throw late(limits.timeoutMs);
      return { signal, timeoutMs };
    };
    const stored: ModelStep['stored'] = (read) =>
      untilAvailable(read, {
        ...context(),
        onFailure({ message }) {
          log.warn('A model step waits for the store', { reason: message });
        },
      });
    try {
      return await run({ context, stored });
    } catch (error) {
      if (!isHoldfastError(error) || !error.retryable) throw error;
      if (!error.code.startsWith('MODEL_') || info.attempt < limits.maxAttempts) throw error;
      throw new HoldfastError(error.code, error.message, {
        ...(error.details ? { details: error.details } : {}),
        cause: error,
      });
    }
  }

  /** The rules take any number of tools. */
  async function toolsFor(
    { choice, messages }: PlanInput,
    stored: ModelStep['stored'],
  ): Promise<readonly ToolDescription[]> {
    const tools = await stored(() => registry.list());
    return choice.provider === 'builtin' ? tools : offeredTools(tools, messages);
  }

  return {
    plan: (input) =>
      call(input, async ({ context, stored }) => {
        const { choice, tool } = input;
        const tools = tool === undefined ? await toolsFor(input, stored) : [tool];
        const { requests, content, ...generated } = await provider(choice.provider).chooseTools(
          {
            ...choice,
            messages: readable(input.messages, choice.provider),
            tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
            choice: tool === undefined ? 'auto' : 'required',
          },
          context(),
        );
        checkAnswer(input, requests.length, content);
        const known =
          tool === undefined
            ? await stored(() => registry.getMany([...new Set(requests.map(({ toolName }) => toolName))]))
            : new Map([[tool.name, tool]]);
        const offered = new Map(tools.map(({ name, parameters }) => [name, parameters]));
        const calls = requests.map(({ id, toolName, args }) => {
          const { implementation, parameters } = known.get(toolName) ?? GONE;
          // Another tool may have taken the name meanwhile: then the arguments are checked when it runs.
          const isOther = parameters !== undefined && !isDeepStrictEqual(parameters, offered.get(toolName));
          return { id, call: { toolName, args, implementation, ...(isOther ? { parameters } : {}) } };
        });
        return { content, calls, ...generated };
      }),
    generate: (input) =>
      call(input, ({ context }) =>
        provider(input.choice.provider).chat({ ...input.choice, messages: input.messages }, context()),
      ),
  };
}

/** More than a few calls in one turn is a model that has lost its way; nothing at all is no answer. */
function checkAnswer({ choice, messages }: PlanInput, calls: number, content: string): void {
  const isFirst = !messages.some(({ role }) => role === 'tool');
  const problem =
    calls > MAX_CALLS_PER_RESPONSE
      ? `it asked for ${calls} calls in one turn; at most ${MAX_CALLS_PER_RESPONSE} are made`
      : calls === 0 && isFirst && content.trim() === ''
        ? 'it neither called a tool nor said anything'
        : undefined;
  if (problem === undefined) return;
  const { provider, model } = choice;
  throw new HoldfastError('MODEL_OUTPUT_INVALID', `The answer of "${model}" cannot be used: ${problem}`, {
    details: { provider, model, problem },
  });
}

function late(limitMs: number): HoldfastError {
  return new HoldfastError('MODEL_TIMEOUT', `The model did not answer within ${limitMs} ms`, {
    details: { timeout: limitMs },
  });
}

/** The rules need outputs whole, since they take arguments from them; a model gets the beginning of a long one. */
function readable(messages: readonly ChatMessage[], provider: ProviderName): readonly ChatMessage[] {
  if (provider === 'builtin') return messages;
  return messages.map((message) =>
    message.role === 'tool' ? { ...message, content: beginning(message.content) } : message,
  );
}

function beginning(content: unknown): unknown {
  const length = typeof content === 'string' ? content.length : jsonLength(content);
  if (length <= MAX_TOOL_OUTPUT_LENGTH) return content;
  return `${shorten(content, MAX_TOOL_OUTPUT_LENGTH)} (cut after ${MAX_TOOL_OUTPUT_LENGTH} characters)`;
}
