import type { AnswerRequest, TurnAnswer } from '../contracts/runs/turns';
import { shorten } from '../contracts/json';
import { NO_USAGE } from '../contracts/runs/token-usage';
import { isHoldfastError } from '../base/errors';
import type { CallContext, LlmProvider } from '../llm/provider';
import type { ConversationRules, RecalledText, ToolStepResult, WhyRules } from './conversation-rules';
import { recalledTexts } from './recalled-texts';

/** What answers without a language model. */
export interface AnswerRules {
  readonly conversation: ConversationRules;
  /** The provider that answers prompts by rules. */
  readonly provider: LlmProvider;
}

type RuledAnswer = Omit<TurnAnswer, 'context' | 'time' | 'degraded'>;

/**
 * An answer by rules: what tools gave, else what the memories say, else small talk, else what the message itself answers, else
 * why no tool could be run, or that nothing is known.
 * @throws the signal's reason
 */
export async function answerByRules(
  request: AnswerRequest,
  { conversation: rules, provider }: AnswerRules,
  why: WhyRules,
  limit: CallContext,
): Promise<RuledAnswer> {
  const { query, recalled, tools, toolProblem, filled, withMemory } = request;
  const now = new Date();
  if (tools.length > 0) return describeTools(request, rules);
  const remembered = rules.answerFromMemories(query, recalledTexts(recalled), now);
  if (remembered !== undefined) return ruled(remembered.text, remembered.sourceIds);
  const talk = rules.replyToTalk(query, why);
  if (talk !== undefined) return ruled(talk);
  const own = await ownAnswer(query, provider, limit);
  if (own !== undefined) return own;
  const isUnfilled = filled !== undefined && 'reason' in filled;
  const problem = toolProblem && isUnfilled ? filled.reason : toolProblem;
  // That memory has no value to work on can be said only where memory was asked.
  if (problem !== undefined && (withMemory || !isUnfilled)) {
    return ruled(`I could not work that out: ${problem}`);
  }
  // Memory chat classifies nothing.
  const intent = request.intent ?? (rules.asksAboutUser(query) ? 'memory_chat' : 'conversation');
  return { ...ruled(rules.nothingKnown(query, { intent, withMemory, why })), nothingKnown: true };
}

/** What tools gave, and on what remembered values they worked. */
function describeTools(
  { query, tools, filled, recalled }: AnswerRequest,
  rules: ConversationRules,
): RuledAnswer {
  const unit = filled?.query === undefined ? undefined : filled.unit;
  const text = rules.describeToolResults(query, tools.map(toStep), unit);
  if (filled?.query === undefined) return ruled(text);
  const { sources } = filled;
  const said = recalledTexts(recalled).filter(({ id }) => sources.includes(id));
  return ruled([text, ...said.map(provenanceOf)].join('\n'), sources);
}

function ruled(text: string, sources: readonly string[] = []): RuledAnswer {
  return { text, sources, provider: 'builtin', model: 'builtin', usage: NO_USAGE };
}

const MAX_QUOTED = 200;

function provenanceOf({ text, timestamp, role }: RecalledText): string {
  const who = role === 'assistant' ? 'I said' : 'You told me';
  const when = timestamp === undefined ? '' : ` on ${timestamp.slice(0, 10)}`;
  return `${who}${when}: “${shorten(text, MAX_QUOTED)}”`;
}

/** What the message answers by itself: a sum, a text to be summarised. */
async function ownAnswer(
  query: string,
  provider: LlmProvider,
  limit: CallContext,
): Promise<RuledAnswer | undefined> {
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
