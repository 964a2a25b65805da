import type { Recalled } from '../contracts/http/conversations';
import type { RecalledText } from './conversation-rules';
import { saysModelNeeded } from './model-needed';
import type { Fact } from '../contracts/facts';
import { createStandingText } from '../memory/facts/sayings';

/** Maximum length of all texts together, characters, because the time that the rules take grows faster than that. */
const MAX_LENGTH = 100_000;

/** Recalled memories in the form that the rules read, each once, the most relevant of them if they are long. */
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
    // Such an answer says nothing of the user, although its words look like that.
    const isNotice = role === 'assistant' && saysModelNeeded(content);
    if (!isNotice && !texts.has(id))
      texts.set(id, { id, kind: 'episodic', text: content, timestamp, role, relevance: 0 });
  }
  return withinLength([...texts.values()]);
}

/** Leaves out texts for which more relevant ones leave no room. */
function withinLength(texts: readonly RecalledText[]): RecalledText[] {
  const keptTexts = new Set<RecalledText>();
  let room = MAX_LENGTH;
  for (const each of [...texts].sort((one, other) => other.relevance - one.relevance)) {
    if (each.text.length > room) continue;
    room -= each.text.length;
    keptTexts.add(each);
  }
  return texts.filter((each) => keptTexts.has(each));
}

/**
 * Leaves out of recalled memories what holds no more. What an assistant said is no source of facts and stays. Pure.
 * @param recalled the memories as they are stored
 * @param facts those of the user, of any time
 * @param certain whether what is doubted is left out too, as rules cannot weigh it
 * @param at as in `createStandingText`
 */
export function standingMemories(
  recalled: Recalled,
  facts: readonly Fact[],
  certain: boolean,
  at?: number,
): Recalled {
  const standingText = createStandingText(facts, certain, at);
  const standing = <T extends { readonly id: string; readonly content: string }>(each: T): T[] => {
    const content = standingText(each.id, each.content);
    return content === undefined ? [] : [{ ...each, content }];
  };
  return {
    ...recalled,
    episodic: recalled.episodic.flatMap(standing),
    recent: recalled.recent.flatMap(standing),
  };
}
