import { stem } from '../text/stem';
import { ARTICLES } from '../text/stop-words';
import { AUXILIARIES, afterVerb, chunksOf, hasContent, PREPOSITIONS, type Chunk } from './chunks';
import { hasCodeShape } from './examples';
import { isNameSlot } from './names';
import { fillProse } from './prose';
import { prepositionFit } from './roles';
import { isText, type Slot, type SlotState } from './slot-state';
import { termsOf } from './tool-terms';

/** Least fit of a preposition that counts, for parameters that may stay out. */
const OPTIONAL_FIT = 0.95;

/** Fills text parameters from what is left: quotations, phrases after prepositions, the object of the verb. */
export function fillLeftovers(state: SlotState): void {
  fillQuoted(state);
  for (const slot of state.open((one) => isText(one) && one.parameter.required && isProse(one)))
    fillProse(state, slot);
  fillAfterColon(state);
  fillByPreposition(state);
  const [only, ...others] = state.open((slot) => isText(slot) && slot.parameter.required && !hasFormat(slot));
  if (only && others.length === 0) fillObject(state, only);
}

function hasFormat(slot: Slot): boolean {
  const { roles } = slot;
  if (hasCodeShape(slot)) return true;
  // A date that does not look like one is something else.
  if ([...roles].every((role) => role === 'date' || role === 'time' || role === 'phone')) return true;
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

/** `open a ticket: the printer on floor 2 is jammed`: a title or text is all that follows. */
function fillAfterColon(state: SlotState): void {
  const [slot] = state.open(
    (one) => isText(one) && one.parameter.required && (isProse(one) || one.roles.has('title')),
  );
  const colon = state.tokens.findIndex(({ text }, at) => text === ':' && state.isFree(at));
  if (!slot || colon === -1 || isNameSlot(slot)) return;
  let to = colon + 1;
  while (to < state.tokens.length && state.isFree(to) && !/^[,;.]$/.test(state.tokens[to]?.text ?? '')) to++;
  if (to - colon > 3 && hasContent(state, colon + 1, to))
    state.fill(slot, state.valueText(colon + 1, to), colon + 1, to);
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
  const named = capital && roles.has('place') && base >= 0.9;
  const narrow = !parameter.required && exact === 0 && purpose === 0 && !natural && !named ? 0.2 : 0;
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
