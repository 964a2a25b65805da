import { POLITENESS, STOP_WORDS } from '../text/stop-words';
import { findOtherRequest } from './other-request';
import type { Token, TokenText } from '../text/token';
import { wordsTagged } from '../text/lexicon/words';

/** Words that begin a reason, a greeting or a remark. */
const OPENINGS = wordsTagged('openings');

/** True for a clause that asks for nothing. */
export function isAside(
  clause: TokenText,
  afterRequest: boolean,
  isStarter: (token: Token | undefined) => boolean,
): boolean {
  const words = clause.tokens.filter(({ kind }) => kind === 'word');
  if (words.every(({ lower }) => STOP_WORDS.has(lower) || POLITENESS.has(lower))) return true;
  // `also text me the answer`
  if (afterRequest && findOtherRequest(clause) !== undefined) return false;
  const [first] = words;
  if (!first || isStarter(first)) return false;
  return (
    OPENINGS.has(first.lower) || (afterRequest && words.length <= 2 && !words.some((word) => isStarter(word)))
  );
}
