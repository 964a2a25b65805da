import { CONVERSATION_TAG, NOTHING_KNOWN_TAG } from '../../contracts/http/conversations';
import type { MemoryNode } from '../../stores/memory/node';
import { isNearDuplicate, sayingOf } from '../../base/text/near-duplicate';
import { wordsOf } from '../../base/text/stem';
import { contentOf, sourceOf } from '../nodes/episodic-node';

const ASKING =
  /^\s*(?:(?:and|but|so|please|hi|hello|hey)[ ,]+)*(?:what|which|who|whom|whose|where|when|how|why|do|does|did|can|could|would|will|is|are|am|was|were|have|has|tell|remind)\b/i;

/**
 * What a conversation says and no recall is helped by: that nothing was known, and the query itself, asked before. Kept as
 * they are, they are nearer to the query than any fact, and would take the places of the facts. Pure.
 */
export function isRepeatOf(query: string): (node: MemoryNode) => boolean {
  const asked = sayingOf(query);
  const words = wordsOf(query).join(' ');
  return (node) => {
    if (node.kind !== 'episodic' || !node.labels.includes(CONVERSATION_TAG)) return false;
    if (node.labels.includes(NOTHING_KNOWN_TAG)) return true;
    if (sourceOf(node) === 'assistant') return false;
    const content = contentOf(node);
    if (wordsOf(content).join(' ') === words) return true;
    // "I do like tea" has the words of "Do I like tea?", and answers it.
    return (
      (ASKING.test(content) || content.trimEnd().endsWith('?')) && isNearDuplicate(asked, sayingOf(content))
    );
  };
}
