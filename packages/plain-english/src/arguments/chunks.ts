import { stem } from '../text/stem';
import { ARTICLES, POLITENESS, PRONOUNS } from '../text/stop-words';
import type { SlotState } from './slot-state';
import { meansSame } from './synonyms';
import { termsOf } from './tool-terms';

export const PREPOSITIONS = new Set(
  'to from in on at for of with by about into regarding saying near as called titled named that under during around'.split(
    ' ',
  ),
);
const ENDS = new Set([',', '.', '?', '!', ';', ':', 'and', 'then', 'but']);
const ASKING = new Set(
  'i want would like need can could you please to help me us what whats is are the get give show tell'.split(
    ' ',
  ),
);
export const AUXILIARIES = new Set(['does', 'do', 'did', 'have', 'has', 'had', 'is', 'are', 'was', 'were']);

/** A run of words that no other parameter has taken, with the preposition before it. */
export interface Chunk {
  readonly preposition: string;
  readonly from: number;
  readonly to: number;
}

/** The first token after the word that says what to do. */
export function afterVerb(state: SlotState): number {
  const { verbs, name } = termsOf(state.tool);
  const terms = [...verbs, ...name];
  const verb = state.tokens.findIndex(
    ({ kind, lower }) => kind === 'word' && terms.some((term) => meansSame(stem(lower), term)),
  );
  let at = verb + 1;
  // The rest of the tool's name, as in `set a reminder` or `stock price`.
  for (let index = at; index < Math.min(at + 4, state.tokens.length); index++) {
    const token = state.tokens[index];
    if (token?.kind === 'word' && name.some((term) => meansSame(stem(token.lower), term))) at = index + 1;
    else if (!token || !ARTICLES.has(token.lower)) break;
  }
  return at;
}

export function chunksOf(state: SlotState): Chunk[] {
  const chunks: Chunk[] = [];
  let preposition = '';
  for (let at = 0; at < state.tokens.length; at++) {
    const { lower = '', kind } = state.tokens[at] ?? {};
    if (PREPOSITIONS.has(lower)) preposition = lower;
    else if (ENDS.has(lower) || !state.isFree(at)) preposition = '';
    else {
      let to = at + 1;
      while (to < state.tokens.length && state.isFree(to) && !isEnd(state.tokens[to]?.lower ?? '')) to++;
      chunks.push({ preposition, ...trimChunk(state, at, to) });
      at = to - 1;
      preposition = '';
    }
    if (kind === undefined) break;
  }
  return chunks.filter(({ from, to }) => to > from && hasContent(state, from, to));
}

function isEnd(lower: string): boolean {
  return PREPOSITIONS.has(lower) || ENDS.has(lower);
}

function trimChunk(state: SlotState, start: number, end: number): { from: number; to: number } {
  let from = start;
  let to = end;
  const lower = (at: number): string => state.tokens[at]?.lower ?? '';
  while (
    from < to &&
    (ARTICLES.has(lower(from)) || POLITENESS.has(lower(from)) || AUXILIARIES.has(lower(from)))
  )
    from++;
  while (
    to > from &&
    (POLITENESS.has(lower(to - 1)) ||
      lower(to - 1) === "'s" ||
      ['now', 'me', 'there'].includes(lower(to - 1)) ||
      AUXILIARIES.has(lower(to - 1)))
  )
    to--;
  return { from, to };
}

/** True where some word is more than the tool's own name, politeness or a pointer. */
export function hasContent(state: SlotState, from: number, to: number, anyWord = false): boolean {
  const { name, description } = termsOf(state.tool);
  const slots = new Set(state.slots.map((slot) => slot.name.toLowerCase()));
  for (let at = from; at < to; at++) {
    const token = state.tokens[at];
    if (!token || token.kind === 'symbol') continue;
    const { lower, text } = token;
    const capital = at > 0 && /^\p{Lu}/u.test(text);
    const own = !capital && (name.includes(stem(lower)) || description.has(stem(lower)) || slots.has(lower));
    const empty = !anyWord && (ASKING.has(lower) || POLITENESS.has(lower));
    if (!own && !empty && !PRONOUNS.has(lower) && !ARTICLES.has(lower)) return true;
  }
  return false;
}
