import type { ToolDescription } from '../types';
import { wordsOf } from '../text/stem';
import type { Token } from '../text/token';
import { looksLikeExample } from './examples';
import { isNameSlot } from './names';
import { rolesOf } from './roles';
import { isText, type Slot, type SlotState } from './slot-state';

export const OF_PERSONS: ReadonlySet<string> = new Set([
  'same',
  'him',
  'her',
  'his',
  'them',
  'their',
  'they',
  'she',
  'he',
]);
export const OF_THINGS: ReadonlySet<string> = new Set(['it', 'its', 'them', 'same']);

/** A call that is planned already, whose values later clauses point to. */
export interface PlannedCall {
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Fills what a clause names by a pronoun, `report her absent`, from the calls before, the last first. */
export function fillAntecedents(
  state: SlotState,
  calls: readonly PlannedCall[],
  tools: readonly ToolDescription[],
  pronouns: ReadonlySet<string>,
): void {
  const slots = state.open(
    (one) => one.parameter.required && isText(one) && isNameSlot(one) === (pronouns === OF_PERSONS),
  );
  for (const slot of slots) {
    const at = state.tokens.findIndex(({ lower }, index) => state.isFree(index) && pronouns.has(lower));
    if (at === -1) continue;
    const isGiven = state.tokens.some((token, index) => state.isFree(index) && looksLikeExample(slot, token));
    if (isGiven) continue;
    const value = valueOf(slot, calls, tools);
    if (value !== undefined) state.fill(slot, value, at, at + 1);
  }
}

function valueOf(
  slot: Slot,
  calls: readonly PlannedCall[],
  tools: readonly ToolDescription[],
): string | undefined {
  for (const { toolName, args } of [...calls].reverse()) {
    const tool = tools.find(({ name }) => name === toolName);
    for (const [name, value] of Object.entries(args)) {
      const parameter = tool?.parameters[name];
      if (!parameter || typeof value !== 'string' || value.startsWith('{{')) continue;
      const other: Slot = { name, parameter, roles: rolesOf(name, parameter) };
      if (meansSameThing(slot, other)) return value;
    }
  }
  return undefined;
}

/** Two names of persons, or parameters of the same name; a date or a message is nothing that a pronoun points to. */
function meansSameThing(slot: Slot, other: Slot): boolean {
  if (!isText(other) || other.roles.has('text') || other.roles.has('date') || other.roles.has('time'))
    return false;
  if (isNameSlot(slot)) return isNameSlot(other);
  return wordsOf(slot.name).at(-1) === wordsOf(other.name).at(-1);
}

/**
 * True where the clause only points back to a call of the tool, `my card is lost, please block it`, or names it without
 * any value: `Ann got 92 points, please record the grade`.
 */
export function pointsBack(state: SlotState, call: PlannedCall | undefined): boolean {
  if (call?.toolName !== state.tool.name) return false;
  const given = Object.entries(state.args);
  return (
    given.length === 0 ||
    (pointsToEarlier(state.tokens) && given.every(([name, value]) => call.args[name] === value))
  );
}

/** True for a clause with a word for something said before. */
export function pointsToEarlier(tokens: readonly Token[]): boolean {
  return tokens.some(({ lower }) => OF_THINGS.has(lower) || OF_PERSONS.has(lower) || lower === 'this');
}
