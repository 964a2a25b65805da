import type { AnswerRequest, Recalled, TurnAnswer } from '../contracts/conversations';
import { shorten } from '../contracts/json';
import { isHoldfastError } from '../errors';
import {
  answerFromMemories,
  asksAboutUser,
  describeToolResults,
  nothingKnown,
  replyToTalk,
  type RecalledText,
  type WhyRules,
} from '../../packages/plain-english/src/recall';
import type { CallContext, LlmProvider } from '../llm/provider';

type RuledAnswer = Omit<TurnAnswer, 'context' | 'time' | 'degraded'>;

/**
 * An answer by rules: what tools gave, else what the memories say, else small talk, else what the message itself answers, else
 * why no tool could be run, or that nothing is known.
 * @throws the signal's reason
 */
export async function answerByRules(
  request: AnswerRequest,
  builtin: LlmProvider,
  why: WhyRules,
  limit: CallContext,
): Promise<RuledAnswer> {
  const { query, recalled, tools, toolProblem, filled, withMemory } = request;
  const now = new Date();
  if (tools.length > 0) return describeTools(request);
  const remembered = answerFromMemories(query, recalledTexts(recalled), now);
  if (remembered !== undefined) return ruled(remembered.text, remembered.sourceIds);
  const talk = replyToTalk(query, why);
  if (talk !== undefined) return ruled(talk);
  const own = await ownAnswer(query, builtin, limit);
  if (own !== undefined) return own;
  const isUnfilled = filled !== undefined && 'reason' in filled;
  const problem = toolProblem && isUnfilled ? filled.reason : toolProblem;
  // That memory has no value to work on can be said only where memory was asked.
  if (problem !== undefined && (withMemory || !isUnfilled)) {
    return ruled(`I could not work that out: ${problem}`);
  }
  // Memory chat classifies nothing.
  const intent = request.intent ?? (asksAboutUser(query) ? 'memory_chat' : 'conversation');
  return { ...ruled(nothingKnown(query, { intent, withMemory, why })), nothingKnown: true };
}

/** What tools gave, and on what remembered values they worked. */
function describeTools({ query, tools, filled, recalled }: AnswerRequest): RuledAnswer {
  const unit = filled?.query === undefined ? undefined : filled.unit;
  const text = describeToolResults(query, tools.map(toStep), unit);
  if (filled?.query === undefined) return ruled(text);
  const { sources } = filled;
  const said = recalledTexts(recalled).filter(({ id }) => sources.includes(id));
  return ruled([text, ...said.map(provenanceOf)].join('\n'), sources);
}

function ruled(text: string, sources: readonly string[] = []): RuledAnswer {
  return { text, sources, provider: 'builtin', model: 'builtin', usage: NO_USAGE };
}

/** Rules read no tokens that anybody pays for. */
const NO_USAGE = { promptTokens: 0, completionTokens: 0, totalTokens: 0 };

const MOST_QUOTED = 200;

function provenanceOf({ text, timestamp, role }: RecalledText): string {
  const who = role === 'assistant' ? 'I said' : 'You told me';
  const when = timestamp === undefined ? '' : ` on ${timestamp.slice(0, 10)}`;
  return `${who}${when}: “${shorten(text, MOST_QUOTED)}”`;
}

/** What the message answers by itself: a sum, a text to be summarised. */
async function ownAnswer(
  query: string,
  builtin: LlmProvider,
  limit: CallContext,
): Promise<RuledAnswer | undefined> {
  try {
    const { content, usage, provider, model } = await builtin.chat(
      { messages: [{ role: 'user', content: query }] },
      limit,
    );
    return { text: content, sources: [], usage, provider, model };
  } catch (error) {
    limit.signal.throwIfAborted();
    if (!isHoldfastError(error)) throw error;
    return undefined;
  }
}

function toStep({
  toolName,
  args,
  success,
  result,
  error,
}: AnswerRequest['tools'][number]): Parameters<typeof describeToolResults>[1][number] {
  return success ? { toolName, args, output: result } : { toolName, args, error: error ?? 'it failed' };
}

/** Memories as the rules read them, each once. */
export function recalledTexts({ episodic, semantic, recent }: Recalled): RecalledText[] {
  const texts = new Map<string, RecalledText>();
  for (const { id, content, timestamp, sessionId, metadata, relevanceScore } of episodic) {
    const role = metadata.source === 'assistant' ? 'assistant' : 'user';
    texts.set(id, {
      id,
      kind: 'episodic',
      text: content,
      timestamp,
      sessionId,
      role,
      relevance: relevanceScore,
    });
  }
  for (const { id, concept, description, similarityScore } of semantic) {
    texts.set(id, { id, kind: 'semantic', text: `${concept}: ${description}`, relevance: similarityScore });
  }
  for (const { id, role, content, timestamp } of recent) {
    if (!texts.has(id)) texts.set(id, { id, kind: 'episodic', text: content, timestamp, role, relevance: 0 });
  }
  return [...texts.values()];
}
