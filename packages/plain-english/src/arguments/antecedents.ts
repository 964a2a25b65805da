import type { ToolDescription } from '../types';
import type { Token } from '../text/token';
import { matchShape } from './examples';
import { slotsOf, type Slot } from './slots';
import type { Candidate, View } from './view';

export const OF_PERSONS: ReadonlySet<string> = new Set('same him her his them their they she he'.split(' '));
export const OF_THINGS: ReadonlySet<string> = new Set('it its them same'.split(' '));

/** A call that is planned already, whose values later clauses point to. */
export interface PlannedCall {
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What a text names by a pronoun, `report her absent`, from the calls before, the last first. */
export function fromCalls(
  { tokens, text, slots }: View,
  found: ReadonlyMap<string, unknown>,
  chosen: readonly Candidate[],
  calls: readonly PlannedCall[],
  tools: readonly ToolDescription[],
  pronouns: ReadonlySet<string>,
): [string, unknown][] {
  const isFree = (at: number): boolean => !chosen.some(({ from, to }) => at >= from && at < to);
  const points = tokens.some(({ lower }, at) => pronouns.has(lower) && isFree(at));
  if (!points || calls.length === 0) return [];
  return slots
    .filter(
      ({ name, parameter }) =>
        parameter.required && !found.has(name) && parameter.type === 'string' && !parameter.enum,
    )
    .filter((slot) => slot.kinds.has('person') === (pronouns === OF_PERSONS))
    .filter((slot) => !tokens.some((_, at) => isFree(at) && matchShape(text, at, slot.examples)))
    .flatMap((slot): [string, unknown][] => {
      const value = valueFrom(slot, calls, tools);
      return value === undefined ? [] : [[slot.name, value]];
    });
}

/** What a call before gave for a parameter of the same kind. */
export function valueFrom(
  slot: Slot,
  calls: readonly PlannedCall[],
  tools: readonly ToolDescription[],
): string | undefined {
  for (const { toolName, args } of [...calls].reverse()) {
    const tool = tools.find(({ name }) => name === toolName);
    for (const other of tool ? slotsOf(tool) : []) {
      const value = args[other.name];
      if (typeof value === 'string' && !value.startsWith('{{') && isSameThing(slot, other)) return value;
    }
  }
  return undefined;
}

/** Two names of persons, or parameters of the same name; a date or a message is nothing that a pronoun points to. */
function isSameThing(slot: Slot, other: Slot): boolean {
  if (other.kinds.has('prose') || other.kinds.has('date') || other.kinds.has('time')) return false;
  if (slot.kinds.has('person')) return other.kinds.has('person');
  return slot.nameWords.at(-1) === other.nameWords.at(-1);
}

/**
 * True where the text only points back to a call of the tool, `my card is lost, please block it`, or names it without any
 * value: `Ann got 92 points, please record the grade`.
 */
export function repeatsCall(
  { tool, tokens }: View,
  args: Readonly<Record<string, unknown>>,
  call: PlannedCall | undefined,
): boolean {
  if (call?.toolName !== tool.name) return false;
  const given = Object.entries(args);
  return (
    given.length === 0 ||
    (pointsToEarlier(tokens) && given.every(([name, value]) => call.args[name] === value))
  );
}

/** True for a text with a word for something said before. */
export function pointsToEarlier(tokens: readonly Token[]): boolean {
  return tokens.some(({ lower }) => OF_THINGS.has(lower) || OF_PERSONS.has(lower) || lower === 'this');
}
