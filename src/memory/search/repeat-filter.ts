import { CONVERSATION_TAG, NOTHING_KNOWN_TAG } from '../../contracts/http/conversations';
import type { MemoryNode } from '../../stores/memory/node';
import { isNearDuplicate, toComparedText } from '../../base/text/near-duplicate';
import { wordsOf } from '../../base/text/stem';
import { contentOf, sourceOf } from '../nodes/episodic-node';

const ASKING =
  /^\s*(?:(?:and|but|so|please|hi|hello|hey)[ ,]+)*(?:what|which|who|whom|whose|where|when|how|why|do|does|did|can|could|would|will|is|are|am|was|were|have|has|tell|remind)\b/i;

/**
 * Creates a filter that is true for messages that do not help a recall: answers that nothing is known, and the query
 * itself where it was asked before. They are nearer to the query than any fact, and would take the places of facts.
 * Pure.
 */
export function createRepeatFilter(query: string): (node: MemoryNode) => boolean {
  const asked = toComparedText(query);
  const words = wordsOf(query).join(' ');
  return (node) => {
    if (node.kind !== 'episodic' || !node.labels.includes(CONVERSATION_TAG)) return false;
    if (node.labels.includes(NOTHING_KNOWN_TAG)) return true;
    if (sourceOf(node) === 'assistant') return false;
    const content = contentOf(node);
    if (wordsOf(content).join(' ') === words) return true;
    // A statement is kept: "I do like tea" has the words of "Do I like tea?", and answers it.
    return (
      (ASKING.test(content) || content.trimEnd().endsWith('?')) &&
      isNearDuplicate(asked, toComparedText(content))
    );
  };
}
