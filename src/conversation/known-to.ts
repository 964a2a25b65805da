import type { Fact } from '../contracts/facts';
import type { Recalled, RecalledEpisodic } from '../contracts/http/conversations';
import { stem, wordsOf } from '../base/text/stem';
import { countTokens } from '../llm/token-count';
import { holdsAt } from '../memory/facts/facts';
import { element, listElement } from '../base/text/elements';
import { isTopical } from '../embeddings/lexical/everyday-words';
import { standingMemories } from './recalled-texts';

/** A reply adds nothing if at least this share of its topical words is known from elsewhere, 0 to 1. */
const MIN_KNOWN = 0.7;

/** How much a model reads of a user's facts, tokens by the estimate of `countTokens`. */
const MAX_TOKENS = 500;

/** The turn for which a model reads memory. */
export interface ReadingTurn {
  readonly query: string;
  /** Absent in runs of earlier builds. */
  readonly sessionId?: string | undefined;
  /** As in `RecallQuery`; absent: true. */
  readonly crossSession?: boolean | undefined;
}

/** What a model may read of the user. */
export interface Known {
  /** What holds, as a text; empty if there is nothing. */
  readonly facts: string;
  readonly memories: Recalled;
}

/**
 * Selects what a model reads of memory: nothing that holds no more, and no replies that only repeat it. A turn of one session
 * alone gets no facts, which all sessions of a user share. Pure.
 * @param facts those of the user, of all times
 * @param now epoch milliseconds
 */
export function knownTo(recalled: Recalled, facts: readonly Fact[], turn: ReadingTurn, now: number): Known {
  const standing = standingMemories(recalled, facts, false);
  return {
    facts: turn.crossSession === false ? '' : factsText(facts, turn.query, now),
    memories: withoutRepeatingReplies(standing, facts, turn),
  };
}

/**
 * Builds the text of what holds of a user for a model: what the list of facts shows if its caller asks for nothing else,
 * each with the day from which it holds. If not all fit, those come first that share words with the query, then the latest.
 * @param now epoch milliseconds
 * @returns an empty text if nothing is known
 */
function factsText(facts: readonly Fact[], query: string, now: number): string {
  const queryStems = stemsOf(query);
  const holding = facts.filter((fact) => fact.certain && holdsAt(fact, now)).reverse();
  const isAsked = ({ subject, attribute, value, about = '' }: Fact): boolean =>
    [...stemsOf(`${subject} ${attribute} ${value} ${about}`)].some((word) => queryStems.has(word));
  const lines: string[] = [];
  let room = MAX_TOKENS;
  for (const fact of [...holding.filter(isAsked), ...holding.filter((each) => !isAsked(each))]) {
    const line = toLine(fact);
    const cost = countTokens(line);
    if (cost > room) continue;
    room -= cost;
    lines.push(line);
  }
  return lines.length === 0 ? '' : listElement('facts', lines);
}

function toLine({ subject, attribute, value, validFrom, doubtedAt }: Fact): string {
  return element(
    'fact',
    {
      of: subject === 'user' ? undefined : subject,
      since: dayOf(validFrom),
      // Something was said that may have changed it.
      doubted: doubtedAt === undefined ? undefined : dayOf(doubtedAt),
    },
    `${attribute}: ${value}`,
  );
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function stemsOf(text: string): ReadonlySet<string> {
  return new Set(wordsOf(text).map(stem));
}

/**
 * Leaves out replies of the assistant in other sessions that only repeat what the user has said: their words stand in the
 * user's own memories, in facts of any time, or in the query. Such a reply is nearer to the query than what it repeats, which may
 * hold no more. A reply that says more stays. Pure.
 * @param sessionId the session of the turn; absent in runs of earlier builds, in which all stay
 */
function withoutRepeatingReplies<T extends Pick<Recalled, 'episodic' | 'semantic'>>(
  recalled: T,
  facts: readonly Fact[],
  { query, sessionId }: { readonly query: string; readonly sessionId?: string | undefined },
): T {
  if (sessionId === undefined) return recalled;
  const isOldReply = (memory: RecalledEpisodic): boolean =>
    memory.metadata.source === 'assistant' && memory.sessionId !== sessionId;
  const known = new Set(
    [
      query,
      ...facts.map(
        ({ subject, attribute, value, about = '' }) => `${subject} ${attribute} ${value} ${about}`,
      ),
      ...recalled.episodic.filter((memory) => !isOldReply(memory)).map(({ content }) => content),
      ...recalled.semantic.map(({ concept, description }) => `${concept} ${description}`),
    ].flatMap(topicalStems),
  );
  const repeats = ({ content }: RecalledEpisodic): boolean => {
    const words = topicalStems(content);
    return words.filter((word) => known.has(word)).length >= MIN_KNOWN * words.length;
  };
  const episodic = recalled.episodic.filter((memory) => !(isOldReply(memory) && repeats(memory)));
  return { ...recalled, episodic };
}

function topicalStems(text: string): string[] {
  return [...new Set(wordsOf(text).filter(isTopical).map(stem))];
}
