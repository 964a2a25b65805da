import { isMainlyKindOf } from '../recall/kinds';
import { remembered } from '../recall/wordnet';
import { STOP_WORDS } from '../text/stop-words';
import type { Token } from '../text/token';
import { unitOf } from './units';
import { isCapital, startsSentence } from './names';

/** `7`, `3B`, `F-09`, `D` */
const NUMBER = /^(?:\d{1,4}[A-Za-z]?|[A-Z]-?\d{1,3}|[A-HJ-Z])$/;
/** Kinds of things of which there are several, each with a number. */
const NUMBERED = ['room', 'structure', 'area', 'location', 'support', 'vehicle'];
const answers = new Map<string, boolean>();

/** True for the number of `Unit 7` and `shelf 10`, which counts and measures nothing. */
export function isNumberOfName(tokens: readonly Token[], at: number): boolean {
  const [before, token, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (!before || !token || before.end === token.start || !NUMBER.test(token.text)) return false;
  const isName = isCapital(before) && !startsSentence(tokens, at - 1);
  if (!isName && !isNumbered(before.lower)) return false;
  // `Move to Hall 5 chairs` counts, as does `5 m`.
  const isCounted = after?.kind === 'word' && !STOP_WORDS.has(after.lower) && /s$/.test(after.lower);
  return !isCounted && !(after?.kind === 'word' && (after.start === token.end || unitOf(after.lower)));
}

function isNumbered(word: string): boolean {
  return (
    word.length > 2 && remembered(answers, word, () => NUMBERED.some((kind) => isMainlyKindOf(word, kind)))
  );
}
