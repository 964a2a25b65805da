import type { ToolDescription } from '../types';
import { isTypoOf } from '../text/edit-distance';
import { stem } from '../text/stem';
import { POLITENESS, STOP_WORDS } from '../text/stop-words';
import { isContrary } from './contrary';
import { looksLikeExample } from './examples';
import type { Extraction } from './extract';
import { isNumeric, type Slot, type SlotState } from './slot-state';
import { isNameSlot } from './names';
import { isWeak, meansSame } from './synonyms';
import { termsOf } from './tool-terms';

/** What the values in a sentence say for a tool whose name is not in it. */
export interface Evidence {
  /** Values that only a parameter of their kind takes: choices, addresses, numbers, dates, quotations. */
  readonly typed: number;
  /** Words that neither a value nor the tool explains. */
  readonly unexplained: number;
  /** True where the sentence begins with what the tool does, and speaks of what its parameters are about. */
  readonly speaksOfIt: boolean;
}

export function evidenceFor(tool: ToolDescription, { certain, state }: Extraction): Evidence | undefined {
  const words = state.tokens.filter(({ kind }) => kind === 'word').map(({ lower }) => lower);
  if (isContrary(words, termsOf(tool))) return undefined;
  const typed = state.slots.filter(
    (slot) => Object.hasOwn(state.args, slot.name) && isTyped(state, slot, certain),
  ).length;
  return { typed, unexplained: unexplained(state), speaksOfIt: speaksOf(tool, words) };
}

function speaksOf(tool: ToolDescription, words: readonly string[]): boolean {
  const { verbs, parameters } = termsOf(tool);
  const first = stem(
    words.find((word) => word === 'make' || !(STOP_WORDS.has(word) || POLITENESS.has(word))) ?? '',
  );
  const about = new Set(words.filter((word) => !STOP_WORDS.has(word)).map(stem));
  const spoken = [...about].filter((word) => parameters.has(word)).length;
  return spoken >= 2 && verbs.some((verb) => meansSame(verb, first));
}

/** Verbs that stand for any other. */
const NEUTRAL = new Set(['put', 'let', 'want', 'need', 'do']);

/** Roles whose values have a form of their own. */
const OF_FORM = ['email', 'phone', 'url', 'file', 'date', 'time'] as const;

function isTyped(state: SlotState, slot: Slot, certain: ReadonlySet<string>): boolean {
  const { roles, parameter, name } = slot;
  if (parameter.enum !== undefined || (isNumeric(slot) && typeof state.args[name] === 'number')) return true;
  if (certain.has(name) && (isNameSlot(slot) || OF_FORM.some((role) => roles.has(role)))) return true;
  const value = state.args[name];
  return state.tokens.some(
    (token) =>
      (token.kind === 'quoted' && token.value === value) ||
      (token.text === value && looksLikeExample(slot, token)),
  );
}

function unexplained(state: SlotState): number {
  const terms = termsOf(state.tool);
  return state.tokens.filter(({ kind, lower }, at) => {
    if (!state.isFree(at) || kind === 'symbol') return false;
    if (kind !== 'word') return true;
    if (STOP_WORDS.has(lower) || POLITENESS.has(lower) || isWeak(lower) || NEUTRAL.has(lower)) return false;
    const own = stem(lower);
    if (terms.parameters.has(own) || terms.description.has(own) || terms.name.includes(own)) return false;
    return !terms.nameWords.some((word) => meansSame(own, stem(word)) || isTypoOf(lower, word));
  }).length;
}
