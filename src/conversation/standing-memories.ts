import type { Fact } from '../contracts/facts';
import type { Recalled } from '../contracts/http/conversations';
import { createStandingText } from '../memory/facts/standing-text';

/**
 * Leaves out of recalled memories what holds no more. What an assistant said is no source of facts and stays, but for replies that
 * only repeat to the user what held then, which rules would quote. Pure.
 * @param recalled the memories as they are stored
 * @param facts those of the user, of any time
 * @param certain whether what is doubted, and such a reply, is left out too, as rules cannot weigh it
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
  const isStale = certain ? createStaleRepeats(facts) : () => false;
  return {
    ...recalled,
    episodic: recalled.episodic
      .filter((each) => each.metadata.source !== 'assistant' || !isStale(each))
      .flatMap(standing),
    recent: recalled.recent.filter((each) => each.role !== 'assistant' || !isStale(each)).flatMap(standing),
  };
}

/** How the rules begin what repeats the words of the user. */
const REPEATS = /^(?:(?:Yes|No)\. )?(?:Noted: |You told me\b)/;

/** Whether a reply repeats a value that held when it was given and holds no more. */
function createStaleRepeats(
  facts: readonly Fact[],
): (reply: { readonly content: string; readonly timestamp: string }) => boolean {
  const holding = new Set(facts.filter(({ validTo }) => validTo === undefined).map(({ value }) => value));
  const ended = facts.filter(({ value }) => !holding.has(value));
  return ({ content, timestamp }) =>
    REPEATS.test(content) &&
    ended.some(({ value, validTo = 0 }) => Date.parse(timestamp) < validTo && content.includes(value));
}
