import type { Fact } from '../contracts/facts';
import type { Recalled, RecalledEpisodic } from '../contracts/http/conversations';
import { stem, wordsOf } from '../base/text/stem';
import { isTopical } from '../embeddings/lexical/everyday-words';

/** A reply adds nothing where at least this share of its topical words is known from elsewhere, 0 to 1. */
const MIN_KNOWN = 0.7;

/**
 * Leaves out replies of the assistant in other sessions that only repeat what the user has said: their words stand in the
 * user's own memories, in facts of any time, or in the query. Such a reply is nearer to the query than what it repeats, which may
 * hold no more. A reply that says more stays. Pure.
 * @param sessionId the session of the turn; absent in runs of earlier builds, where all stay
 */
export function withoutRepeatingReplies<T extends Pick<Recalled, 'episodic' | 'semantic'>>(
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
