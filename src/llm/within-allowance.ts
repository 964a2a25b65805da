import type { ChatRequest, Generated, TokenUsage } from '../contracts/http/llm';
import type { ModelAllowance } from '../contracts/runs/budgets';
import { costOf } from '../contracts/runs/budgets';
import { HoldfastError, isHoldfastError } from '../base/errors';
import { untilAvailable } from '../stores/until-available';
import { toJsonSchema } from './json-schema';
import { OutputInvalidError } from './output-invalid';
import type { LlmProvider } from './provider';
import type { SharedRoom, Spending, SpendingLedger } from './spending-ledger';
import { countTokens } from './token-count';

/** Tokenizers count up to about this much more than `countTokens` estimates. */
const PROMPT_MARGIN = 1.25;
/** A call is not made where the budget has room for fewer tokens of its answer, since it would be cut off. */
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
 * is estimated, and the rest limits the answer. A repair of an unusable answer is part of its call.
 * @returns a provider whose methods also throw HoldfastError `BUDGET_EXHAUSTED` with details `{ limit, owner?, period? }`,
 * before anything is sent, where a budget has no room for the call, and `STORE_UNAVAILABLE` (retryable)
 */
export function withinAllowance(
  provider: LlmProvider,
  allowance: ModelAllowance | undefined,
  ledger: SpendingLedger,
): LlmProvider {
  // The rules cost nothing, and are given all tools, of which they use few.
  if (allowance === undefined || provider.name === 'builtin') return provider;

  async function limited<T extends Generated>(
    request: ChatRequest,
    more: unknown,
    call: (maxTokens: number) => Promise<T>,
  ): Promise<T> {
    const prompt = Math.ceil(PROMPT_MARGIN * countTokens(JSON.stringify([request.messages, more])));
    const decide = (rooms: readonly SharedRoom[]): CallBound =>
      boundCall(request.maxTokens, prompt, allowance ?? {}, rooms);
    const { shared = [], price } = allowance ?? {};
    if (shared.length === 0) return call(decide([]).maxTokens);
    const { most, settle } = await ledger.reserve(shared, decide);
    const spent = (usage: TokenUsage): Spending => ({
      tokens: usage.totalTokens,
      costUsd: costOf(usage, price) ?? 0,
    });
    let answer: T;
    try {
      answer = await call(most.maxTokens);
    } catch (error) {
      await settleInTime(() => settle(error instanceof OutputInvalidError ? spent(error.usage) : NOTHING));
      throw error;
    }
    // The answer is paid for, so a store that is away does not lose it.
    await settleInTime(() => settle(spent(answer.usage)));
    return answer;
  }

  return {
    name: provider.name,
    defaultModel: provider.defaultModel,
    chat: (request, context) =>
      limited(request, undefined, (maxTokens) => provider.chat({ ...request, maxTokens }, context)),
    structured: (request, context) =>
      limited(request, toJsonSchema(request.schema), (maxTokens) =>
        provider.structured({ ...request, maxTokens }, context),
      ),
    chooseTools: (request, context) =>
      limited(request, request.tools, (maxTokens) =>
        provider.chooseTools({ ...request, maxTokens }, context),
      ),
  };
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
  for (const room of [{ tokens, costUsd }, ...shared]) {
    const money = room.costUsd * PER - prompt * input;
    const affordable = output > 0 ? Math.floor(money / output) : money >= 0 ? Infinity : 0;
    const limits = { maxTokens: room.tokens - prompt, maxCostUsd: affordable };
    for (const [limit, left] of Object.entries(limits)) {
      if (left < least) throw exhausted(limit, room);
      maxTokens = Math.min(maxTokens, left);
    }
  }
  const tokensAtMost = prompt + maxTokens;
  const usage = { promptTokens: prompt, completionTokens: maxTokens, totalTokens: tokensAtMost };
  return { maxTokens, tokens: tokensAtMost, costUsd: costOf(usage, price) ?? 0 };
}

function exhausted(limit: string, room: Spending | SharedRoom): HoldfastError {
  const owner = 'user' in room ? (room.session === undefined ? 'user' : 'session') : undefined;
  const whose = 'user' in room ? ` of the ${owner} in a ${room.period}` : '';
  const details = { limit, ...('user' in room ? { owner, period: room.period } : {}) };
  return new HoldfastError('BUDGET_EXHAUSTED', `The next model call may exceed ${limit}${whose}`, {
    details,
  });
}
