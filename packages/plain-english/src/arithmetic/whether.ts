import { POLITENESS } from '../text/stop-words';
import type { Token } from '../text/token';
import { setOf, wordsTagged } from '../text/lexicon/words';

const ASKS = wordsTagged('asks');
/** These ask only before a number: `can 12 be divided by 4`, but `can you divide 12 by 4`. */
const ASKS_NUMBER = wordsTagged('asks-number');
const MARKS = setOf('. ? ! ; : , - –');
const TAGS = setOf('right correct true false wrong');
const COMPARED = setOf('bigger larger greater smaller less more higher lower');
/** `is it possible to add 2 and 3`: a request. */
const REQUESTS = setOf('there possible ok okay fine alright you able now');

/** True where a yes or no, or one of several numbers is asked for: no calculation answers `is 7 greater than 3?`. */
export function asksWhether(tokens: readonly Token[]): boolean {
  let isStart = true;
  for (const [at, token] of tokens.entries()) {
    const { lower } = token;
    if (isStart && isQuestion(tokens, at)) return true;
    if (isPhrase(tokens, at)) return true;
    isStart = MARKS.has(lower) || (isStart && (POLITENESS.has(lower) || lower === 'and' || lower === 'but'));
  }
  return false;
}

function isQuestion(tokens: readonly Token[], at: number): boolean {
  const lower = tokens[at]?.lower ?? '';
  const next = tokens[at + 1];
  if (ASKS_NUMBER.has(lower))
    return next?.kind === 'number' && (lower !== 'do' || tokens.at(-1)?.text === '?');
  if (!ASKS.has(lower)) return false;
  const later = tokens[at + 2]?.lower ?? '';
  if (REQUESTS.has(next?.lower ?? '') || (next?.lower === 'it' && REQUESTS.has(later))) return false;
  const end = tokens.findIndex(({ lower: word }, index) => index > at && /^[.?!;]$/.test(word));
  return tokens.slice(at, end === -1 ? undefined : end).some(({ kind }) => kind === 'number');
}

function isPhrase(tokens: readonly Token[], at: number): boolean {
  const word = (offset: number): string => tokens[at + offset]?.lower ?? '';
  const lower = word(0);
  if (lower === 'whether') return true;
  // `check if 2 plus 2 is 5`
  if (lower === 'if')
    return (
      /^(?:check|verify|confirm|see|know|wonder|me|determine)$/.test(word(-1)) && isJudged(tokens.slice(at))
    );
  if (lower === 'which' || lower === 'what')
    return /^(?:is|one|number|are)$/.test(word(1)) && isChoice(tokens.slice(at));
  const isTag = TAGS.has(lower) && (tokens[at + 1] === undefined || word(1) === '?' || word(1) === '!');
  return isTag && (word(-1) === ',' || /^(?:it|that|this|is)$/.test(word(-1)));
}

function isJudged(tokens: readonly Token[]): boolean {
  return tokens.some(
    ({ lower }, at) =>
      at > 1 && /^(?:is|are|equals?|makes?|than|gives?)$/.test(lower) && tokens[at + 1] !== undefined,
  );
}

/** `which is bigger, 7 or 3?` */
function isChoice(tokens: readonly Token[]): boolean {
  const comparison = tokens
    .slice(1, 5)
    .some(({ lower }) => COMPARED.has(lower) || /^(?:big|larg|great|small|high|low)\w*est$/.test(lower));
  return comparison && tokens.some(({ lower }) => lower === 'or');
}
