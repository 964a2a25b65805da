import { isTypoOf } from '../text/edit-distance';
import { stem, wordsOf } from '../text/stem';
import { STOP_WORDS } from '../text/stop-words';
import type { Slot, SlotState } from './slot-state';

const NEGATIONS = new Set([
  "don't",
  'dont',
  'not',
  'without',
  'no',
  'never',
  'disable',
  'false',
  'off',
  "doesn't",
  'skip',
  'non',
]);
const ON = new Set(['on', 'true', 'yes', 'enable', 'enabled', 'enabling']);
const OFF = new Set(['off', 'false', 'no', 'disable', 'disabled', 'disabling']);
const WEAK_WORDS = new Set(['is', 'should', 'has', 'be', 'with', 'include', 'enable', 'enabled', 'use']);

/** Fills yes-or-no parameters that the sentence speaks of. */
export function fillBooleans(state: SlotState): void {
  for (const slot of state.open(({ parameter }) => parameter.type === 'boolean')) {
    const found = findMention(state, slot) ?? findOpposite(state, slot) ?? findSwitch(state, slot);
    if (found) state.fill(slot, found.value, found.from, found.to);
  }
}

interface Mention {
  readonly value: boolean;
  readonly from: number;
  readonly to: number;
}

/** All words of the parameter's name close together, with or without a word of denial before. */
function findMention(state: SlotState, { name }: Slot): Mention | undefined {
  const words = wordsOf(name).filter((word) => !WEAK_WORDS.has(word));
  if (words.length === 0) return undefined;
  const says = (at: number, word: string): boolean => {
    const lower = state.tokens[at]?.lower ?? '';
    return state.isFree(at) && (stem(lower) === stem(word) || isTypoOf(lower, word));
  };
  // The rest of the name near its first word: there may be a car, and then a courtesy car.
  const anchor = state.tokens.findIndex((_, at) => says(at, words[0] ?? ''));
  const places = words.map((word, index) => {
    if (index === 0) return anchor;
    const after = state.tokens.findIndex(
      (_, at) => at > anchor && at <= anchor + words.length + 2 && says(at, word),
    );
    return after !== -1 ? after : state.tokens.findIndex((_, at) => at < anchor && says(at, word));
  });
  if (places.includes(-1)) return undefined;
  const from = Math.min(...places);
  const to = Math.max(...places) + 1;
  if (to - from > words.length + 3) return undefined;
  const around = [...state.tokens.slice(Math.max(0, from - 3), from), ...state.tokens.slice(from, to + 2)];
  const denied = around.some(({ lower }) => NEGATIONS.has(lower));
  return { value: !denied, from, to };
}

/** `unexcused` for a parameter that says whether something is excused. */
function findOpposite(state: SlotState, { name }: Slot): Mention | undefined {
  const words = wordsOf(name).filter((word) => !WEAK_WORDS.has(word));
  const [only] = words;
  if (only === undefined || words.length > 1) return undefined;
  const at = state.tokens.findIndex(
    ({ lower }, index) =>
      state.isFree(index) &&
      /^(?:un|non-?|in|dis)/.test(lower) &&
      stem(lower.replace(/^(?:un|non-?|in|dis)/, '')) === stem(only),
  );
  return at === -1 ? undefined : { value: false, from: at, to: at + 1 };
}

/** `turn the light on` for a parameter such as `on` or `enabled`. */
function findSwitch(state: SlotState, { name, parameter }: Slot): Mention | undefined {
  const about = wordsOf(`${name} ${parameter.description}`);
  if (!about.some((word) => ON.has(word) || OFF.has(word) || word === 'state')) return undefined;
  const at = state.tokens.findIndex(({ lower }, index) => {
    const next = state.tokens[index + 1];
    // Before a place or a day `on` is a preposition.
    const particle = lower !== 'on' || !next || next.kind === 'symbol' || STOP_WORDS.has(next.lower);
    return state.isFree(index) && particle && (ON.has(lower) || OFF.has(lower));
  });
  return at === -1 ? undefined : { value: ON.has(state.tokens[at]?.lower ?? ''), from: at, to: at + 1 };
}
