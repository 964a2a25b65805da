import type { ChatRequest, Generated, TokenUsage } from '../contracts/http/llm';
import { costOf, type ModelAllowance } from '../contracts/runs/budgets';
import { HoldfastError, isHoldfastError, withDetails } from '../base/errors';
import { untilAvailable } from '../stores/until-available';
import { createPromptEstimates } from './prompt-estimates';
import { mayBeCharged, OutputInvalidError } from './answer-errors';
import { type CallContext, type LlmProvider, runInPlace } from './provider';
import type { SharedRoom, Spending, SpendingLedger } from './spending-ledger';
import { toJsonSchema } from './schema-for-models';

/** A call is not made if the budget has room for fewer tokens of its answer, since it would be cut off. */
export const MIN_COMPLETION_TOKENS = 64;
/**
 * The limit of an answer whose caller names none. Models refuse a request for more tokens than they can give, and most can
 * give this many.
 */
const MAX_COMPLETION_TOKENS = 4_096;
const PER = 1_000_000;
/** How long a store that is away is waited for after a call, milliseconds. */
const SETTLE_LIMIT_MS = 3_000;
const NOTHING: Spending = { tokens: 0, costUsd: 0 };

/**
 * A provider whose calls stay within what is left of a run's budget, and of those of its user and its session: the prompt
 * is estimated, and the rest limits the answer. A repair of an unusable answer is part of its call. A call that was cut off
 * is counted with its prompt, which its failure has as `details.usage`.
 * @returns a provider whose methods also throw HoldfastError `BUDGET_EXHAUSTED` with details `{ limit, needed, owner?, period? }`,
 * before anything is sent, if a budget has no room for the call (`needed` says for how much it has to have room), and `STORE_UNAVAILABLE` (retryable)
 */
export function withinAllowance(
  provider: LlmProvider,
  allowance: ModelAllowance | undefined,
  ledger: SpendingLedger,
): LlmProvider {
  // The rules cost nothing, and are given all tools, of which they use few.
  if (allowance === undefined || provider.name === 'builtin') return provider;
  const { name, estimatePrompt = createPromptEstimates(name).estimate } = provider;

  /** Nothing is set aside while the call waits for its place. */
  const limited = <T extends Generated>(
    request: ChatRequest,
    more: unknown,
    context: CallContext,
    call: (free: LlmProvider, maxTokens: number) => Promise<T>,
  ): Promise<T> =>
    runInPlace(provider, { ...context, model: request.model }, (free) =>
      bounded(request, more, context, (maxTokens) => call(free, maxTokens)),
    );

  async function bounded<T extends Generated>(
    { model, messages, maxTokens }: ChatRequest,
    more: unknown,
    { signal }: CallContext,
    call: (maxTokens: number) => Promise<T>,
  ): Promise<T> {
    const prompt = estimatePrompt({ model, messages, more });
    const decide = (rooms: readonly SharedRoom[]): CallBound =>
      boundCall(maxTokens, prompt, allowance ?? {}, rooms);
    const { shared = [], price } = allowance ?? {};
    const reservation = shared.length === 0 ? undefined : await ledger.reserve(shared, decide);
    const book = async (usage: TokenUsage | undefined): Promise<void> => {
      if (reservation === undefined) return;
      const spent =
        usage === undefined ? NOTHING : { tokens: usage.totalTokens, costUsd: costOf(usage, price) ?? 0 };
      await settleInTime(() => reservation.settle(spent));
    };
    let answer: T;
    try {
      answer = await call((reservation?.most ?? decide([])).maxTokens);
    } catch (error) {
      const cutOff = mayBeCharged(error, signal) ? promptUsage(prompt) : undefined;
      await book(error instanceof OutputInvalidError ? error.usage : cutOff);
      throw cutOff === undefined ? error : withUsage(error, cutOff);
    }
    // The answer is paid for, so a store that is away does not lose it.
    await book(answer.usage);
    return answer;
  }

  return {
    name: provider.name,
    defaultModel: provider.defaultModel,
    chat: (request, context) =>
      limited(request, request.schema?.document, context, (free, maxTokens) =>
        free.chat({ ...request, maxTokens }, context),
      ),
    structured: (request, context) =>
      limited(request, toJsonSchema(request.schema), context, (free, maxTokens) =>
        free.structured({ ...request, maxTokens }, context),
      ),
    chooseTools: (request, context) =>
      limited(request, request.tools, context, (free, maxTokens) =>
        free.chooseTools({ ...request, maxTokens }, context),
      ),
  };
}

/** What a call is counted with whose answer is not known, because at no cost its caller could make any number of them. */
function promptUsage(prompt: number): TokenUsage {
  return { promptTokens: prompt, completionTokens: 0, totalTokens: prompt };
}

/** Adds to a failure what its call is counted with, for the usage of the run. */
function withUsage(error: unknown, usage: TokenUsage): unknown {
  if (!isHoldfastError(error) || error instanceof OutputInvalidError) return error;
  return withDetails(error, { usage });
}

/** Settles, unless the store stays away: then what was set aside counts until it lapses. */
async function settleInTime(settle: () => Promise<void>): Promise<void> {
  const { signal } = new AbortController();
  const wait = { signal, timeoutMs: SETTLE_LIMIT_MS, onFailure: () => undefined };
  await untilAvailable(settle, wait).catch((error: unknown) => {
    if (!isHoldfastError(error) || error.code === 'INTERNAL') throw error;
  });
}

/** What a call may cost at most, of which its answer has `maxTokens`. */
interface CallBound extends Spending {
  readonly maxTokens: number;
}

/** @throws HoldfastError `BUDGET_EXHAUSTED` */
function boundCall(
  wanted = MAX_COMPLETION_TOKENS,
  prompt: number,
  { tokens = Infinity, costUsd = Infinity, price, completionTokens = Infinity }: ModelAllowance,
  shared: readonly SharedRoom[],
): CallBound {
  const { input, output } = price ?? { input: 0, output: 0 };
  let maxTokens = Math.min(wanted, completionTokens);
  const least = Math.min(maxTokens, MIN_COMPLETION_TOKENS);
  const neededTokens = prompt + least;
  const neededCost = (prompt * input + least * output) / PER;
  for (const room of [{ tokens, costUsd }, ...shared]) {
    const money = room.costUsd * PER - prompt * input;
    const affordable = output > 0 ? Math.floor(money / output) : money >= 0 ? Infinity : 0;
    const limits = { maxTokens: room.tokens - prompt, maxCostUsd: affordable };
    for (const [limit, left] of Object.entries(limits)) {
      if (left < least) throw exhausted(limit, room, limit === 'maxTokens' ? neededTokens : neededCost);
      maxTokens = Math.min(maxTokens, left);
    }
  }
  const tokensAtMost = prompt + maxTokens;
  const usage = { promptTokens: prompt, completionTokens: maxTokens, totalTokens: tokensAtMost };
  return { maxTokens, tokens: tokensAtMost, costUsd: costOf(usage, price) ?? 0 };
}

function exhausted(limit: string, room: Spending | SharedRoom, needed: number): HoldfastError {
  const owner = 'user' in room ? (room.session === undefined ? 'user' : 'session') : undefined;
  const whose = 'user' in room ? ` of the ${owner} in a ${room.period}` : '';
  const details = { limit, needed, ...('user' in room ? { owner, period: room.period } : {}) };
  const message = `The next model call may exceed ${limit}${whose}: it needs about ${needed}`;
  return new HoldfastError('BUDGET_EXHAUSTED', message, { details });
}
