import { stem } from '../text/stem';
import { POLITENESS, STOP_WORDS } from '../text/stop-words';
import type { Token } from '../text/token';
import { prepositionFit } from './roles';
import { isText, type Slot, type SlotState } from './slot-state';
import { isKnownWord } from './synonyms';
import { isCalendarWord } from './temporal';
import { termsOf } from './tool-terms';

const TITLES = new Set('mr mrs ms miss dr prof professor sir'.split(' '));
/** Small words inside a name. */
const PARTICLES = new Set('van von de der den del la di da bin al'.split(' '));
/** Verbs that say something of somebody: what stands before them is who. */
const SAYING_OF = new Set(
  'is was has had have got gets weighs weighed reached scored needs wants arrives arrived stays comes came will would brings takes took said'.split(
    ' ',
  ),
);
const COMPANY = new Set('ltd inc gmbh llc plc corp co'.split(' '));

interface Candidate {
  readonly from: number;
  readonly to: number;
  readonly startsSentence: boolean;
}

/** True for a parameter that a name with a capital can be the value of. */
export function isNameSlot(slot: Slot): boolean {
  const { roles } = slot;
  if (!isText(slot) || !roles.has('person')) return false;
  return !(['email', 'url', 'file', 'phone', 'text', 'code', 'date', 'topic'] as const).some((role) =>
    roles.has(role),
  );
}

/** Fills parameters for persons, animals and the like with the names in the sentence: words with a capital. */
export function fillNames(state: SlotState): void {
  const slots = state.open((slot) => slot.parameter.required && isNameSlot(slot));
  if (slots.length === 0) return;
  const candidates = findNames(state).slice(0, 50);
  const pairs = slots.flatMap((slot) =>
    candidates.map((candidate) => ({ slot, candidate, fit: nameFit(state, slot, candidate) })),
  );
  pairs.sort((a, b) => b.fit - a.fit || a.candidate.from - b.candidate.from);
  for (const { slot, candidate, fit } of pairs) {
    if (fit <= 0 || Object.hasOwn(state.args, slot.name) || !state.areFree(candidate.from, candidate.to))
      continue;
    state.fill(slot, state.valueText(candidate.from, candidate.to), candidate.from, candidate.to);
    if (state.tokens[candidate.to]?.lower === "'s") state.use(candidate.to);
  }
}

/** Where a name that starts at a token ends. */
export function nameEnd(tokens: readonly Token[], from: number): number {
  let to = from + 1;
  for (;;) {
    const token = tokens[to];
    const next = tokens[to + 1];
    if (token?.text === '.' && TITLES.has(tokens[to - 1]?.lower ?? '') && isCapital(next)) to += 2;
    else if (token && isCapital(token) && !isCalendarWord(token.lower)) to++;
    else if (token && PARTICLES.has(token.lower) && isCapital(next)) to += 2;
    else if (token && COMPANY.has(token.lower)) to++;
    else return to;
  }
}

function isCapital(token: Token | undefined): boolean {
  return token?.kind === 'word' && /^\p{Lu}/u.test(token.text) && !/\d/.test(token.text);
}

function findNames(state: SlotState): Candidate[] {
  const { tokens } = state;
  const found: Candidate[] = [];
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at];
    if (!token || !state.isFree(at) || !isCapital(token) || !mayBeName(state, at)) {
      at++;
      continue;
    }
    let to = nameEnd(tokens, at);
    while (to > at + 1 && !state.areFree(at, to)) to--;
    found.push({ from: at, to, startsSentence: startsSentence(tokens, at) });
    at = to;
  }
  return found;
}

function startsSentence(tokens: readonly Token[], at: number): boolean {
  return at === 0 || /^[.?!:;]$/.test(tokens[at - 1]?.text ?? '');
}

/** A capital says little at the start of a sentence, where what follows has to say that it is a name. */
function mayBeName(state: SlotState, at: number): boolean {
  const { tokens } = state;
  const { lower = '', text = '' } = tokens[at] ?? {};
  if (isCalendarWord(lower) || lower === 'i' || /^i['’]/.test(lower)) return false;
  if (TITLES.has(lower)) return true;
  if (!startsSentence(tokens, at)) return !isOwnWord(state, lower) || text.length > 1;
  if (STOP_WORDS.has(lower) || POLITENESS.has(lower) || isOwnWord(state, lower)) return false;
  const end = nameEnd(tokens, at);
  // `Put Emma's grade down`: the verb has its capital from the sentence.
  if (end > at + 1 && isKnownWord(stem(lower))) return false;
  const next = tokens[end]?.lower ?? '';
  if (next === "'s" || SAYING_OF.has(next)) return true;
  return end > at + 1;
}

function isOwnWord(state: SlotState, lower: string): boolean {
  const { name, description, verbs } = termsOf(state.tool);
  const own = stem(lower);
  return name.includes(own) || verbs.includes(own) || description.has(own);
}

/** Above 0 where the name may be the parameter's value. */
function nameFit(state: SlotState, slot: Slot, { from, to, startsSentence: first }: Candidate): number {
  const { tokens } = state;
  const before = tokens[from - 1]?.lower ?? '';
  const { parameters } = termsOf(state.tool);
  const isLabelled = parameters.has(stem(before)) && !STOP_WORDS.has(before);
  const fits = prepositionFit(slot.roles, before);
  const isElsewhere = ['at', 'in', 'on', 'near', 'into'].includes(before);
  const owns = tokens[to]?.lower === "'s";
  const isSpokenOf = SAYING_OF.has(tokens[to]?.lower ?? '');
  return (
    1 +
    (isLabelled ? 1.5 : 0) +
    fits +
    (owns ? 0.8 : 0) +
    (isSpokenOf ? 0.5 : 0) -
    (isElsewhere ? 2 : 0) -
    (first && !owns && !isSpokenOf ? 0.5 : 0)
  );
}
