import { setOf } from '../text/lexicon/words';
import type { Token } from '../text/token';
import { isCalendarWord } from '../text/temporal';

export const TITLES = setOf('mr mrs ms miss dr prof professor sir doctor');
/** Small words inside a name of a person or a company, and words after it. */
const PARTICLES = setOf('van von de der den del la di da bin al');
const COMPANY = setOf('ltd inc gmbh llc plc corp co');
/** Small words inside the title of an event or a book. */
const CONNECTORS = setOf('of the in on by from and with for to a an at under over');
/** Words that are written with a capital and name nothing. */
const NO_NAMES = setOf("i i'm i'd i've i'll ok okay hi hello hey");

/** A run of words with capitals. */
export interface NameRun {
  readonly from: number;
  readonly to: number;
  /** True where its first capital may be that of the sentence. */
  readonly startsSentence: boolean;
  /** True where small words of a title join its parts. */
  readonly isJoined: boolean;
}

export function isCapital(token: Token | undefined): boolean {
  return (
    token?.kind === 'word' &&
    /^\p{Lu}/u.test(token.text) &&
    !/\d/.test(token.text) &&
    !isCalendarWord(token.lower) &&
    !NO_NAMES.has(token.lower) &&
    !/'(?:ve|re|ll|d|m|t)$/.test(token.lower)
  );
}

export function startsSentence(tokens: readonly Token[], at: number): boolean {
  return at === 0 || /^[.?!:;]$/.test(tokens[at - 1]?.text ?? '') || tokens[at - 1]?.kind === 'quoted';
}

/** Every run of words with capitals, and where small words join two of them, the whole. */
export function findNames(tokens: readonly Token[]): NameRun[] {
  const found: NameRun[] = [];
  for (let at = 0; at < tokens.length;) {
    if (!isCapital(tokens[at])) {
      at++;
      continue;
    }
    const to = nameEnd(tokens, at);
    found.push({ from: at, to, startsSentence: startsSentence(tokens, at), isJoined: false });
    at = to;
  }
  return found.flatMap((one, index) => [one, ...joined(tokens, found, index)]);
}

function joined(tokens: readonly Token[], runs: readonly NameRun[], index: number): NameRun[] {
  const first = runs[index];
  const result: NameRun[] = [];
  let to = first?.to ?? 0;
  for (const next of runs.slice(index + 1, index + 4)) {
    const between = tokens.slice(to, next.from);
    if (!first || between.length === 0 || between.length > 2) break;
    if (!between.every(({ lower }) => CONNECTORS.has(lower) || lower === "'s")) break;
    to = next.to;
    result.push({ from: first.from, to, startsSentence: first.startsSentence, isJoined: true });
  }
  return result;
}

function nameEnd(tokens: readonly Token[], from: number): number {
  let to = from + 1;
  for (;;) {
    const token = tokens[to];
    const next = tokens[to + 1];
    if (isCapital(token) || isLetter(token)) to++;
    else if (token && PARTICLES.has(token.lower) && isCapital(next)) to += 2;
    else if (token && COMPANY.has(token.lower)) to++;
    else if (token?.text === '&' && isCapital(next)) to += 2;
    // `The Clockmaker's Garden`
    else if (token?.lower === "'s" && isCapital(next) && to - from > 0 && isCapital(tokens[from])) to += 2;
    else return to;
  }
}

/** `14 Mill Lane`, `Flat 2, 14 Mill Lane` without the flat: a number and words with capitals. */
export function addressEnd(tokens: readonly Token[], at: number): number | undefined {
  const token = tokens[at];
  const isNumber = token?.kind === 'number' || (token?.kind === 'word' && /^\d+[a-z]?$/i.test(token.text));
  if (!isNumber || tokens[at - 1]?.end === token.start) return undefined;
  let to = at + 1;
  // `14b Mill Lane`
  if (/^[a-z]$/i.test(tokens[to]?.text ?? '') && tokens[to]?.start === token.end) to++;
  const start = to;
  while (isCapital(tokens[to]) && /\p{Ll}/u.test(tokens[to]?.text ?? '')) to++;
  return to > start ? to : undefined;
}

/** The letter of `Depot A`. */
function isLetter(token: Token | undefined): boolean {
  return token?.kind === 'word' && /^[A-HJ-Z]$/.test(token.text);
}
