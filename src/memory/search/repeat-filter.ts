import { CONVERSATION_TAG, NOTHING_KNOWN_TAG } from '../../contracts/http/conversations';
import type { MemoryNode } from '../../stores/memory/node';
import { isNearDuplicate, toComparedText } from '../../base/text/near-duplicate';
import { wordsOf } from '../../base/text/stem';
import { contentOf, sourceOf } from '../nodes/episodic-node';

const ASKING =
  /^\s*(?:(?:and|but|so|please|hi|hello|hey)[ ,]+)*(?:what|which|who|whom|whose|where|when|how|why|do|does|did|can|could|would|will|is|are|am|was|were|have|has|tell|remind)\b/i;

/**
 * How the service begins an answer that only repeats what the user said or stored. Earlier builds also wrote `You said`,
 * `I said`, `I have kept` and `I have this on it`, and refused with the last three sentences.
 */
const REPEATS =
  /^(?:(?:Yes|No)\. )?(?:(?:You told me|You said|I said|I have kept)(?: on \d{4}-\d\d-\d\d)?: |Noted: |From what I know about .{1,200}?: |I have this on it: |You told me (?:of a change, and I am not sure|that of others, and not of yourself)|That is no longer so, and I know of nothing)/;

/**
 * Creates a filter that is true for messages that do not help a recall: answers that nothing is known or that only repeat a memory,
 * and the query itself where it was asked before. They are nearer to the query than any fact, and would take the places of facts;
 * what an answer repeats may hold no more. Pure.
 */
export function createRepeatFilter(query: string): (node: MemoryNode) => boolean {
  const asked = toComparedText(query);
  const words = wordsOf(query).join(' ');
  return (node) => {
    if (node.kind !== 'episodic') return false;
    const content = contentOf(node);
    const isAnswer = sourceOf(node) === 'assistant';
    if (isAnswer && REPEATS.test(content)) return true;
    if (!node.labels.includes(CONVERSATION_TAG)) return false;
    if (node.labels.includes(NOTHING_KNOWN_TAG)) return true;
    if (isAnswer) return false;
    if (wordsOf(content).join(' ') === words) return true;
    // A statement is kept: "I do like tea" has the words of "Do I like tea?", and answers it.
    return (
      (ASKING.test(content) || content.trimEnd().endsWith('?')) &&
      isNearDuplicate(asked, toComparedText(content))
    );
  };
}
