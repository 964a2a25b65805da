import { toHeldFact, type Fact } from '../contracts/facts';
import type { AnswerRequest, TurnAnswer } from '../contracts/runs/turns';
import { shorten } from '../contracts/json';
import { NO_USAGE } from '../contracts/runs/token-usage';
import { isHoldfastError } from '../base/errors';
import type { CallContext, LlmProvider } from '../llm/provider';
import type { ConversationRules, RecalledText, ToolStepResult, FallbackReason } from './conversation-rules';
import { MODEL_NEEDED } from './model-needed';
import { recalledTexts } from './recalled-texts';

/** The rules that answer without a language model. */
export interface AnswerRules {
  readonly conversation: ConversationRules;
  /** The provider that answers prompts by rules. */
  readonly provider: LlmProvider;
}

/** A request with the user's facts. */
export interface KnownRequest extends AnswerRequest {
  /** Of all times, in the order in which they began. */
  readonly facts: readonly Fact[];
}

type RuleBasedAnswer = Omit<TurnAnswer, 'context' | 'time' | 'degraded'>;

/**
 * Answers by rules: from the results of tools, else from facts, else from memories, else by small talk, else from the message itself.
 * What takes tools and memory at once is answered by a quotation, because no remembered value becomes an argument by a rule.
 * If none of these answers, it says why no tool was run, or that nothing is known.
 * @throws the signal's reason
 */
export async function answerByRules(
  request: KnownRequest,
  { conversation: rules, provider }: AnswerRules,
  why: FallbackReason,
  limit: CallContext,
): Promise<RuleBasedAnswer> {
  const { query, recalled, tools, toolProblem, withMemory, facts } = request;
  if (tools.length > 0) return toRuleBasedAnswer(rules.describeToolResults(query, tools.map(toStep)));
  if (request.intent === 'hybrid') return quoteForWork(request, rules, why);
  const known = rules.answerFromFacts(query, facts);
  if (known !== undefined) return fromFacts(known, facts);
  const remembered = rules.answerFromMemories(query, recalledTexts(recalled), new Date());
  if (remembered !== undefined) return toRuleBasedAnswer(remembered.text, remembered.sourceIds);
  const talk = rules.replyToTalk(query, why);
  if (talk !== undefined) return toRuleBasedAnswer(talk);
  const ownAnswer = await answerFromMessage(query, provider, limit);
  if (ownAnswer !== undefined) return ownAnswer;
  if (toolProblem !== undefined)
    return { ...toRuleBasedAnswer(`I could not work that out: ${toolProblem}`), nothingKnown: true };
  // Memory chat classifies nothing.
  const intent = request.intent ?? (rules.asksAboutUser(query) ? 'memory_chat' : 'conversation');
  return { ...toRuleBasedAnswer(rules.nothingKnown(query, { intent, withMemory, why })), nothingKnown: true };
}

/** Whether a memory is a question, or the message itself, of which nothing is known by it. */
function isAsked(text: string, query: string): boolean {
  return text === query || /\?\s*$/.test(text);
}

/** Quotes what the user said that fits best, the newest of equals, and says what the rest of the request takes. */
function quoteForWork(
  { query, recalled, withMemory }: KnownRequest,
  rules: ConversationRules,
  why: FallbackReason,
): RuleBasedAnswer {
  const [best] = recalledTexts(recalled)
    .filter(({ role, relevance, text }) => role !== 'assistant' && relevance > 0 && !isAsked(text, query))
    .sort(
      (one, other) =>
        other.relevance - one.relevance || ((one.timestamp ?? '') < (other.timestamp ?? '') ? 1 : -1),
    );
  const known =
    best === undefined
      ? rules.nothingKnown(query, { intent: 'hybrid', withMemory, why })
      : describeProvenance(best);
  // The quotation is not recalled beside what it quotes.
  return { ...toRuleBasedAnswer(`${known}\n${MODEL_NEEDED[why]}`, best && [best.id]), nothingKnown: true };
}

function fromFacts(
  {
    text,
    factIds,
    sourceIds,
  }: { readonly text: string; readonly factIds: readonly string[]; readonly sourceIds: readonly string[] },
  facts: readonly Fact[],
): RuleBasedAnswer {
  const used = facts.filter(({ id }) => factIds.includes(id));
  return { ...toRuleBasedAnswer(text, toPresent(sourceIds, facts)), facts: used.map(toHeldFact) };
}

/** Names the memories that are kept for archived ones, and leaves out archived ones that none is kept for. */
function toPresent(sourceIds: readonly string[], facts: readonly Fact[]): string[] {
  const archived = new Map(
    facts
      .flatMap(({ sources }) => sources)
      .flatMap(({ memoryId, archived }) => (archived === undefined ? [] : [[memoryId, archived.keptAs]])),
  );
  const keptIds = sourceIds.flatMap((id) => (archived.has(id) ? (archived.get(id) ?? []) : id));
  // A memory that is kept for others is archived too once what it says holds no more.
  return [...new Set(keptIds)].filter((id) => !archived.has(id));
}

function toRuleBasedAnswer(text: string, sources: readonly string[] = []): RuleBasedAnswer {
  return { text, sources, provider: 'builtin', model: 'builtin', usage: NO_USAGE };
}

const MAX_QUOTED = 200;

function describeProvenance({ text, timestamp }: RecalledText): string {
  const when = timestamp === undefined ? '' : ` on ${timestamp.slice(0, 10)}`;
  return `You told me${when}: “${shorten(text, MAX_QUOTED)}”`;
}

/** Answers from the message itself: a sum, a text to be summarised. Undefined if the provider cannot. */
async function answerFromMessage(
  query: string,
  provider: LlmProvider,
  limit: CallContext,
): Promise<RuleBasedAnswer | undefined> {
  try {
    const answer = await provider.chat({ messages: [{ role: 'user', content: query }] }, limit);
    const { content, usage, model } = answer;
    return { text: content, sources: [], usage, provider: answer.provider, model };
  } catch (error) {
    limit.signal.throwIfAborted();
    if (!isHoldfastError(error)) throw error;
    return undefined;
  }
}

function toStep({ toolName, args, success, result, error }: AnswerRequest['tools'][number]): ToolStepResult {
  return success ? { toolName, args, output: result } : { toolName, args, error: error ?? 'it failed' };
}
