import { wordsOf } from '../text/stem';
import { isText, type Slot, type SlotState } from './slot-state';
import { labelsOf } from './roles';
import { findTemporals } from './temporal';

const LINKS = new Set([
  ':',
  '=',
  'is',
  'of',
  'as',
  'being',
  'to',
  'set',
  'should',
  'be',
  'it',
  'reads',
  'text',
  'that',
  'says',
]);
const BEFORE = new Set([
  'with',
  'and',
  ',',
  'the',
  'a',
  'an',
  'its',
  'has',
  'having',
  'for',
  'of',
  'from',
  'in',
  'by',
  ':',
  ';',
  'as',
  'using',
  'my',
  '.',
]);
const SEPARATORS = new Set([',', 'and', 'with', ';', '.', 'as', 'that', 'to', 'for']);
/** Labels that are hardly ever anything else. */
const STRONG = new Set(
  'saying says called named titled entitled labelled labeled about regarding assigned assign assignee reading'.split(
    ' ',
  ),
);
const NOT_A_VALUE = new Set([
  'to',
  'from',
  'in',
  'on',
  'at',
  'for',
  'with',
  'of',
  'and',
  'about',
  ',',
  '.',
  '?',
  '!',
  'please',
  'by',
  'it',
  'is',
  'are',
  ';',
  'me',
  'him',
  'her',
]);
/** Roles whose values are short: they end where the next phrase begins. */
const SHORT = ['person', 'place', 'id', 'code', 'origin', 'destination'] as const;
const ENDS_SHORT = new Set([
  'were',
  'was',
  'are',
  'is',
  'have',
  'has',
  'that',
  'and',
  ',',
  'with',
  'to',
  'from',
  'in',
  'on',
  'at',
  'for',
  'by',
  'about',
  'please',
  '.',
  '?',
  '!',
  ';',
  'then',
  'as',
  'who',
  'whose',
]);
/** More tokens than a label has. */
const MAX_LABEL = 4;

interface Label {
  readonly slot: Slot;
  /** First token after the label. */
  readonly end: number;
}

/** Fills text parameters whose value is announced: `with subject Meeting`, `titled "X"`, `customer Ann`. */
export function fillLabelled(state: SlotState): void {
  for (let at = 0; at < state.tokens.length; at++) {
    if (!state.isFree(at)) continue;
    for (const label of labelsAt(state, at)) {
      if (Object.hasOwn(state.args, label.slot.name)) continue;
      const value = valueAfter(state, at, label);
      if (!value) continue;
      state.use(at, value.from);
      state.fill(label.slot, state.valueText(value.from, value.to), value.from, value.to);
      at = value.to - 1;
      break;
    }
  }
}

/** The labels that start at a token: a parameter's whole name, or one word for it. */
function labelsAt(state: SlotState, at: number): Label[] {
  const token = state.tokens[at];
  if (token?.kind !== 'word') return [];
  return state.slots.flatMap((slot) => {
    const end = labelEnd(state, at, slot);
    return end === undefined ? [] : [{ slot, end }];
  });
}

function labelEnd(state: SlotState, at: number, { name, parameter }: Slot): number | undefined {
  const whole = wordsOf(name).slice(0, MAX_LABEL);
  if (whole.every((word, offset) => state.tokens[at + offset]?.lower === word)) return at + whole.length;
  const lower = state.tokens[at]?.lower ?? '';
  if (lower === name.toLowerCase() || labelsOf(name, parameter).has(lower)) return at + 1;
  return undefined;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function valueAfter(state: SlotState, start: number, { slot, end }: Label): Span | undefined {
  if (!isText(slot)) return undefined;
  const { tokens } = state;
  const word = tokens[start]?.lower ?? '';
  let from = end;
  while (from < tokens.length && LINKS.has(tokens[from]?.lower ?? '') && isLink(state, from, word)) from++;
  const first = tokens[from];
  if (!first || !state.isFree(from)) return undefined;
  const announced =
    from > end || first.kind === 'quoted' || STRONG.has(word) || BEFORE.has(tokens[start - 1]?.lower ?? ',');
  if (!announced || (NOT_A_VALUE.has(first.lower) && from === end && !STRONG.has(word))) return undefined;
  if (labelsAt(state, from).some((other) => other.slot === slot || hasValue(state, from, other)))
    return undefined;
  return fitsFormat(slot, state, from, spanEnd(state, from, slot));
}

/** `to` leads on only after a verb: `assigned to Ann`, but not `a message to Ann`. */
function isLink(state: SlotState, at: number, label: string): boolean {
  const { lower } = state.tokens[at] ?? { lower: '' };
  if (lower === 'to') return /^(?:assign|set)/.test(label) || state.tokens[at - 1]?.lower === 'set';
  if (lower === 'it' || lower === 'that')
    return /^assign/.test(label) || state.tokens[at + 1]?.lower === 'says';
  if (lower === 'text') return false;
  if (lower === 'of') return !['name'].includes(label);
  return true;
}

function hasValue(state: SlotState, at: number, { end }: Label): boolean {
  const next = state.tokens[end];
  return next !== undefined && (next.text === ':' || next.kind === 'quoted') && at < end;
}

/** An e-mail parameter takes no other text. */
function fitsFormat(slot: Slot, state: SlotState, from: number, to: number): Span | undefined {
  const kind = state.tokens[from]?.kind;
  if (slot.roles.has('email')) return kind === 'email' ? { from, to: from + 1 } : undefined;
  if (slot.roles.has('url') && kind !== 'url' && kind !== 'domain') return undefined;
  return to > from ? { from, to } : undefined;
}

function spanEnd(state: SlotState, from: number, slot: Slot): number {
  const { tokens } = state;
  if (tokens[from]?.kind === 'quoted') return from + 1;
  const short =
    SHORT.some((role) => slot.roles.has(role)) && !slot.roles.has('text') && !slot.roles.has('title');
  const moments = momentsOf(state, slot);
  let to = from + 1;
  for (; to < tokens.length; to++) {
    const { lower = '', kind } = tokens[to] ?? {};
    if (!state.isFree(to) || (short && ENDS_SHORT.has(lower)) || moments.has(to)) break;
    if (STRONG.has(lower) && announcesOther(state, to, slot)) break;
    if (kind !== 'quoted' && SEPARATORS.has(lower) && startsLabel(state, to, slot)) break;
  }
  while (
    to > from + 1 &&
    /^[,.;!?]$|^(?:and|with|please|thanks|pls|on|at|by|for)$/.test(tokens[to - 1]?.lower ?? '')
  )
    to--;
  return to;
}

/** Where dates and times start that another parameter asks for; a message may speak of any. */
function momentsOf(state: SlotState, slot: Slot): ReadonlySet<number> {
  const wanted = state.open(
    (other) => other !== slot && (other.roles.has('date') || other.roles.has('time')),
  );
  if (slot.roles.has('text') || wanted.length === 0) return new Set();
  return new Set(findTemporals(state.tokens).map(({ from }) => from));
}

/** `about the party saying …`: the text of another parameter begins. */
function announcesOther(state: SlotState, at: number, current: Slot): boolean {
  return labelsAt(state, at).some(({ slot }) => slot !== current && !Object.hasOwn(state.args, slot.name));
}

/** True where what follows a separator is about another parameter. */
function startsLabel(state: SlotState, separator: number, current: Slot): boolean {
  for (let at = separator + 1; at <= separator + 3; at++) {
    const token = state.tokens[at];
    if (token?.kind !== 'word') return false;
    const other = labelsAt(state, at).find(
      ({ slot, end }) => slot !== current && (!Object.hasOwn(state.args, slot.name) || state.isUsed(end)),
    );
    if (other) return isFollowed(state, other.end) || other.slot.parameter.enum !== undefined;
    if (!['the', 'a', 'an', 'with', 'and', 'its'].includes(token.lower) && !isChoice(state, token.lower))
      return false;
  }
  return false;
}

function isChoice(state: SlotState, word: string): boolean {
  return state.slots.some(({ parameter }) => parameter.enum?.some((choice) => choice.toLowerCase() === word));
}

function isFollowed(state: SlotState, at: number): boolean {
  const next = state.tokens[at];
  return next !== undefined && !/^[,.;!?]$/.test(next.text);
}
