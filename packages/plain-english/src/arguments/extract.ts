import type { ToolDescription } from '../types';
import type { TokenText } from '../text/token';
import { fillAntecedents, OF_PERSONS, OF_THINGS, pointsBack, type PlannedCall } from './antecedents';
import { fillBooleans } from './booleans';
import { fillCounted } from './counted';
import { fillByExample } from './examples';
import { fillLabelled } from './labelled';
import { fillLeftovers } from './leftovers';
import { fillNames } from './names';
import { fillNumbers } from './numbers';
import { isNumeric, isText, SlotState, type Slot } from './slot-state';
import { fillChoices, fillFormats, fillTemporals } from './typed';

/** What a step before can lend to a parameter. */
export interface EarlierOutput {
  readonly reference: string;
  readonly kind: 'number' | 'text' | 'data' | 'unknown';
}

export interface Extraction {
  readonly args: Readonly<Record<string, unknown>>;
  /** The first required parameter, as declared, that the sentence does not give. */
  readonly missing?: string;
  /** True where the clause only points back to the call before, which does what it asks for. */
  readonly repeats: boolean;
  /** Names of the arguments that their form or a label gave, rather than their place in the sentence. */
  readonly certain: ReadonlySet<string>;
  readonly state: SlotState;
}

/** The plan before a clause. */
export interface Before {
  readonly earlier?: EarlierOutput;
  readonly calls: readonly PlannedCall[];
  readonly tools: readonly ToolDescription[];
}

const POINTERS = new Set([
  'it',
  'that',
  'this',
  'them',
  'result',
  'answer',
  'output',
  'content',
  'contents',
  'amount',
  'value',
  'those',
  'text',
  'response',
]);

/** The arguments for a tool that a clause gives. Nothing is made up: a value is in the clause, or comes from a step before. */
export function extractArguments(
  text: TokenText,
  tool: ToolDescription,
  { earlier, calls, tools }: Before,
): Extraction {
  const state = new SlotState(text, tool);
  // `check the stock of AB-1234 and move 10 of it`: of a call, what it was about rather than what it gave.
  if (earlier?.kind === 'unknown') fillAntecedents(state, calls.slice(-1), tools, OF_THINGS);
  // What a tool gave is not what it is called with once more.
  if (earlier && calls.at(-1)?.toolName !== tool.name) fillPointed(state, earlier);
  fillLabelled(state);
  fillChoices(state);
  fillJson(state);
  fillByExample(state);
  fillFormats(state);
  fillTemporals(state);
  fillNumbers(state);
  fillBooleans(state);
  fillNames(state);
  fillAntecedents(state, calls, tools, OF_PERSONS);
  fillAntecedents(state, calls, tools, OF_THINGS);
  const certain = new Set(Object.keys(state.args));
  fillCounted(state);
  fillLeftovers(state);
  if (earlier) fillElided(state, earlier);
  const missing = state.slots.find(
    ({ name, parameter }) => parameter.required && !Object.hasOwn(state.args, name),
  );
  const args = Object.fromEntries(
    state.slots.flatMap(({ name }) => (Object.hasOwn(state.args, name) ? [[name, state.args[name]]] : [])),
  );
  return {
    args,
    ...(missing ? { missing: missing.name } : {}),
    certain,
    repeats: pointsBack(state, calls.at(-1)),
    state,
  };
}

/** `translate it`, `for that many minutes`: the value of the step before. */
function fillPointed(state: SlotState, { reference, kind }: EarlierOutput): void {
  const at = state.tokens.findIndex(
    ({ lower }, index) => state.isFree(index) && POINTERS.has(lower) && isPointer(state, index),
  );
  if (at === -1) return;
  const slots = state.open((one) => one.parameter.required && takes(one, kind));
  const slot = slots.find((one) => one.roles.has('text') || isNumeric(one)) ?? slots[0];
  if (slot) state.fill(slot, reference, at, at + 1);
}

function isPointer(state: SlotState, at: number): boolean {
  const lower = state.tokens[at]?.lower ?? '';
  const before = state.tokens[at - 1]?.lower ?? '';
  if (['it', 'them', 'this', 'those'].includes(lower)) return !/^assign/.test(before);
  if (lower === 'that') return true;
  return before === 'the' || before === 'that';
}

/** Whether the parameter is of a kind that the output can be. */
function takes(slot: Slot, kind: EarlierOutput['kind']): boolean {
  if (isNumeric(slot)) return kind !== 'text';
  if (!isText(slot)) return false;
  const prose = slot.roles.has('text') || slot.roles.has('topic') || slot.roles.has('thing');
  return kind === 'number' ? prose && slot.parameter.type === 'any' : prose && !slot.roles.has('email');
}

/** A clause that goes on without naming its object: `read notes.txt and count the words`. */
function fillElided(state: SlotState, { reference, kind }: EarlierOutput): void {
  const missing = state.open(({ parameter }) => parameter.required);
  const [only] = missing;
  if (!only || missing.length > 1) return;
  const fits =
    kind === 'number' ? isNumeric(only) : kind !== 'unknown' && isText(only) && only.roles.has('text');
  if (fits) state.args[only.name] = reference;
}

function fillJson(state: SlotState): void {
  for (const slot of state.open()) {
    const { type } = slot.parameter;
    if (type !== 'object' && type !== 'array' && type !== 'any') continue;
    const at = state.tokens.findIndex(
      ({ kind, value }, index) =>
        kind === 'json' &&
        state.isFree(index) &&
        (type === 'any' || Array.isArray(value) === (type === 'array')),
    );
    if (at !== -1) state.fill(slot, state.tokens[at]?.value, at, at + 1);
  }
}
