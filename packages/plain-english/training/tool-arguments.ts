import { candidatesFor } from '../src/arguments/candidates';
import { NONE } from '../src/arguments/assign';
import type { Slot } from '../src/arguments/slots';
import { overlap } from '../src/arguments/spans';
import { viewOf, type Candidate } from '../src/arguments/view';
import { rowsOf, type WeightTable } from '../src/arguments/weights';
import type { ToolDescription } from '../src/types';
import { readLabelled, toolOf, type LabelledText } from './labelled-calls';
import { trainChoices, type Choice, type TrainingOptions } from './conditional-logit';

/** One parameter of one labelled call: the features of every value that it may have, the last being none. */
export interface SlotChoice {
  readonly options: readonly (readonly string[])[];
  readonly right: readonly number[];
}

/** The choices of the sentences that ask for one call of a registered tool, or leave one parameter out. */
export function slotChoices(path: string): SlotChoice[] {
  const { tools, texts } = readLabelled(path);
  return texts.flatMap((labelled) => {
    const tool = toolOf(labelled, tools);
    if (!tool || labelled.calls.length > 1) return [];
    const known = knownSlots(labelled, tool);
    const pairs = known.flatMap((one) =>
      known.flatMap((other) => (one === other ? [] : exchanges(one, other))),
    );
    return [
      ...known.map((one) => choiceOf(one, known)),
      ...pairs.map((options) => ({ options, right: [0] })),
    ];
  });
}

function knownSlots({ text, calls, lacks }: LabelledText, tool: ToolDescription): Known[] {
  const view = viewOf(text, tool);
  return view.slots
    .filter(({ name }) => lacks === undefined || name === lacks)
    .map((slot) => {
      const candidates = candidatesFor(view, slot);
      const wanted = calls[0]?.args[slot.name];
      const right = candidates.filter(({ value }) => wanted !== undefined && isSame(value, wanted));
      return { slot, candidates, right, wanted };
    });
}

/** The values of one parameter that the values of the others leave free. */
function choiceOf({ slot, candidates, right, wanted }: Known, known: readonly Known[]): SlotChoice {
  const others = known.flatMap((one) => (one.slot === slot ? [] : one.right.slice(0, 1)));
  const free = candidates.filter(
    (one) => right.includes(one) || !others.some((other) => overlap(one, other)),
  );
  return {
    options: [...free.map(({ features }) => features), NONE].map((one) => rowFeatures(slot, one)),
    right: wanted === undefined ? [free.length] : right.map((one) => free.indexOf(one)),
  };
}

interface Known {
  readonly slot: Slot;
  readonly candidates: readonly Candidate[];
  /** The candidates that have the labelled value; empty without one. */
  readonly right: readonly Candidate[];
  readonly wanted: unknown;
}

/**
 * What two parameters have by their labels, against the first taking what is the other's: with their values exchanged, or
 * with the other left out. Without these choices nothing would be learned of who of two is which.
 */
function exchanges(one: Known, other: Known): (readonly string[])[][] {
  const [own] = one.right;
  const [lost] = other.right;
  const taken =
    lost && one.candidates.find((candidate) => candidate.from === lost.from && candidate.to === lost.to);
  if (!lost || !taken || (one.wanted !== undefined && !own)) return [];
  const swapped =
    own && other.candidates.find((candidate) => candidate.from === own.from && candidate.to === own.to);
  const pair = (first: readonly string[], second: readonly string[]): string[] => [
    ...rowFeatures(one.slot, first),
    ...rowFeatures(other.slot, second),
  ];
  return [
    [
      pair(own?.features ?? NONE, lost.features),
      pair(taken.features, NONE),
      ...(swapped ? [pair(taken.features, swapped.features)] : []),
    ],
  ];
}

function rowFeatures(slot: Slot, features: readonly string[]): string[] {
  return rowsOf(slot).flatMap((row) => features.map((feature) => `${row}\t${feature}`));
}

/** Values are the same without regard to case, outer white space and the order of keys. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(normal(one)) === JSON.stringify(normal(other));
}

function normal(value: unknown): unknown {
  if (typeof value === 'string') return value.trim().toLowerCase();
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, normal(item)]));
}

/** Learns the table of weights from choices of which a right value is among the options. */
export function trainSlots(choices: readonly SlotChoice[], options: TrainingOptions): WeightTable {
  const numbers = new Map<string, number>();
  const numberOf = (feature: string): number => {
    const known = numbers.get(feature) ?? numbers.size;
    numbers.set(feature, known);
    return known;
  };
  const numbered: Choice[] = choices
    .filter(({ right }) => right.length > 0)
    .map(({ options: offered, right }) => ({
      right,
      options: offered.map((one) => ({
        places: Int32Array.from(one, numberOf),
        values: new Float64Array(one.length).fill(1),
      })),
    }));
  const weights = trainChoices(numbered, numbers.size, options);
  const table: Record<string, Record<string, number>> = {};
  for (const [feature, index] of numbers) {
    const [row = '', name = ''] = feature.split('\t');
    const weight = Number((weights[index] as number).toFixed(2));
    if (weight !== 0) (table[row] ??= {})[name] = weight;
  }
  return table;
}
