import { POLITENESS, STOP_WORDS } from '../text/stop-words';
import { findOtherRequest } from './other-request';
import type { Token, TokenText } from '../text/token';

/** Words that begin a reason, a greeting or a remark. */
const OPENINGS = new Set(
  "i i'm im i'd i've ive my we we're our it it's because since as for no hi hello hey thanks thank cheers good dear sorry so also if once when that this there he she they the you".split(
    ' ',
  ),
);

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
