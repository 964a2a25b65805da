import type { Fact } from '../contracts/facts';
import type { Recalled } from '../contracts/http/conversations';
import { createStandingText } from '../memory/facts/standing-text';

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
