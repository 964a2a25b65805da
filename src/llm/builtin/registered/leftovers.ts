import { stem } from '../text/stem';
import { ARTICLES, POLITENESS, PRONOUNS } from '../text/stop-words';
import { prepositionFit } from './roles';
import { isText, type Slot, type SlotState } from './slot-state';
import { meansSame } from './synonyms';
import { termsOf } from './tool-terms';

const PREPOSITIONS = new Set(
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
const AUXILIARIES = new Set(['does', 'do', 'did', 'have', 'has', 'had', 'is', 'are', 'was', 'were']);
/** Least fit of a preposition that counts, for parameters that may stay out. */
const OPTIONAL_FIT = 0.95;

/** A run of words that no other parameter has taken, with the preposition before it. */
interface Chunk {
  readonly preposition: string;
  readonly from: number;
  readonly to: number;
}

/** Fills text parameters from what is left: quotations, phrases after prepositions, the object of the verb. */
export function fillLeftovers(state: SlotState): void {
  fillQuoted(state);
  for (const slot of state.open((one) => isText(one) && one.parameter.required && isProse(one)))
    fillProse(state, slot);
  fillByPreposition(state);
  const [only, ...others] = state.open((slot) => isText(slot) && slot.parameter.required && !hasFormat(slot));
  if (only && others.length === 0) fillObject(state, only);
}

function hasFormat({ roles }: Slot): boolean {
  return (
    roles.has('email') || roles.has('url') || isPureId(roles) || (roles.has('file') && !roles.has('text'))
  );
}

/** An id has digits in it, and was found by them where there is one. */
function isPureId(roles: Slot['roles']): boolean {
  return roles.has('id') && !roles.has('text') && !roles.has('title') && !roles.has('person');
}

function isProse({ roles }: Slot): boolean {
  return roles.has('text') && !roles.has('person') && !roles.has('place');
}

/** Quotations in order go to what is required first; titles and texts before names. */
function fillQuoted(state: SlotState): void {
  const slots = state.open((slot) => isText(slot) && !hasFormat(slot));
  slots.sort((a, b) => quotedRank(a) - quotedRank(b));
  for (const slot of slots) {
    const at = state.tokens.findIndex(({ kind }, index) => kind === 'quoted' && state.isFree(index));
    if (at === -1) return;
    if (slot.parameter.required || isProse(slot) || slot.roles.has('title')) {
      state.fill(slot, state.valueText(at, at + 1), at, at + 1);
    }
  }
}

function quotedRank({ parameter, roles }: Slot): number {
  const prose = roles.has('text') || roles.has('title') || roles.has('topic');
  return (
    (parameter.required ? 0 : 10) + (prose ? 0 : 3) + (roles.has('person') || roles.has('place') ? 2 : 0)
  );
}

/** The longest run of unused words after the verb: free text is what the sentence is mostly made of. */
function fillProse(state: SlotState, slot: Slot): void {
  const start = afterVerb(state);
  let best: { from: number; to: number } | undefined;
  for (let at = start; at < state.tokens.length; at++) {
    if (!state.isFree(at)) continue;
    let end = at;
    while (end < state.tokens.length && state.isFree(end)) end++;
    const run = trimProse(state, at, end);
    if (run.to - run.from > (best ? best.to - best.from : 0)) best = run;
    at = end;
  }
  if (best && hasContent(state, best.from, best.to, true))
    state.fill(slot, state.valueText(best.from, best.to), best.from, best.to);
}

const LEADING = new Set(
  'me us the a an to that this word words phrase text sentence message following : , ? for it with saying says him her in of into note there are'.split(
    ' ',
  ),
);
const TRAILING = new Set(
  'to into in from for with and please pls thanks as , . ? ! ; : by on at the it of'.split(' '),
);

function trimProse(state: SlotState, start: number, end: number): { from: number; to: number } {
  let from = start;
  let to = end;
  // After a colon every word is part of the text.
  if (state.tokens[from]?.text === ':') from++;
  else while (from < to && LEADING.has(state.tokens[from]?.lower ?? '')) from++;
  while (to > from && TRAILING.has(state.tokens[to - 1]?.lower ?? '')) to--;
  // A question keeps its mark only where it is all there is.
  return { from, to };
}

/** The first token after the word that says what to do. */
function afterVerb(state: SlotState): number {
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

function chunksOf(state: SlotState): Chunk[] {
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
function hasContent(state: SlotState, from: number, to: number, anyWord = false): boolean {
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

function fillByPreposition(state: SlotState): void {
  const chunks = chunksOf(state);
  const slots = state.open((slot) => isText(slot) && !hasFormat(slot));
  const pairs = slots.flatMap((slot) =>
    chunks.map((chunk) => ({ slot, chunk, fit: fitOf(state, slot, chunk) })),
  );
  pairs.sort((a, b) => b.fit - a.fit);
  for (const { slot, chunk, fit } of pairs) {
    const needed = slot.parameter.required ? 0.3 : OPTIONAL_FIT;
    if (fit < needed || Object.hasOwn(state.args, slot.name) || !state.areFree(chunk.from, chunk.to))
      continue;
    const from = withoutOwnWords(state, chunk);
    const to = withoutOwnEnd(state, slot, from, chunk.to);
    state.fill(slot, state.valueText(from, to), from, chunk.to);
    if (PREPOSITIONS.has(state.tokens[chunk.from - 1]?.lower ?? '')) state.use(chunk.from - 1);
  }
}

function fitOf(state: SlotState, { roles, name, parameter }: Slot, { preposition, from, to }: Chunk): number {
  if (preposition === '') return 0;
  const exact = name === preposition ? 1 : 0;
  const capital =
    /^\p{Lu}/u.test(state.tokens[from]?.text ?? '') &&
    (roles.has('person') || roles.has('place') || roles.has('code'));
  const purpose =
    !parameter.required && new RegExp(`\\b${preposition}$`, 'i').test(parameter.description.trim()) ? 1 : 0;
  const base = Math.max(exact, prepositionFit(roles, preposition), purpose);
  const natural =
    base === 1 && (['creator', 'place', 'origin', 'destination'] as const).some((role) => roles.has(role));
  const narrow = !parameter.required && exact === 0 && purpose === 0 && !natural ? 0.2 : 0;
  const long = to - from > 6 && !roles.has('text') ? 0.2 : 0;
  return base === 0 ? 0 : base + (capital ? 0.15 : 0) - long - narrow;
}

/** `customer Ann` is Ann. */
function withoutOwnWords(state: SlotState, { from, to }: Chunk): number {
  const { name, parameters } = termsOf(state.tool);
  let at = from;
  while (at < to - 1) {
    const token = state.tokens[at];
    const isOwn =
      token?.kind === 'word' &&
      !/^\p{Lu}/u.test(token.text) &&
      (name.includes(stem(token.lower)) || parameters.has(stem(token.lower)));
    const lower = token?.lower ?? '';
    if (!isOwn && !ARTICLES.has(lower) && !AUXILIARIES.has(lower) && lower !== 'me' && lower !== 'us') break;
    at++;
  }
  return at;
}

/** `the bedroom light` of a tool for lights is the bedroom. */
function withoutOwnEnd(state: SlotState, { roles }: Slot, from: number, end: number): number {
  if (!roles.has('place') && !roles.has('person')) return end;
  const { name } = termsOf(state.tool);
  let to = end;
  while (to > from + 1) {
    const token = state.tokens[to - 1];
    if (token?.kind !== 'word' || /^\p{Lu}/u.test(token.text) || !name.includes(stem(token.lower))) break;
    to--;
  }
  return to;
}

/** The object of the verb for the one parameter that is left: `play Yesterday`, `track my parcel ZX81`. */
function fillObject(state: SlotState, slot: Slot): void {
  const start = afterVerb(state);
  const chunks = chunksOf(state).filter(({ to }) => to > start);
  const options = chunks.map((chunk) => ({
    ...chunk,
    from: withoutOwnWords(state, { ...chunk, from: Math.max(chunk.from, start) }),
  }));
  const best = options.find(({ from, to }) => to > from && hasContent(state, from, to));
  // Before the verb stand greetings and reasons, which no parameter asks for.
  if (best) {
    const to = withoutOwnEnd(state, slot, best.from, best.to);
    state.fill(slot, state.valueText(best.from, to), best.from, best.to);
  }
}
