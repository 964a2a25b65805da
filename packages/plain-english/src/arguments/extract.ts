import { spend } from '../allowance';
import type { ToolDescription } from '../types';
import type { TokenText } from '../text/token';
import { fromCalls, valueFrom, OF_PERSONS, OF_THINGS, repeatsCall, type PlannedCall } from './antecedents';
import { assign, type Assignment } from './assign';
import { candidatesFor } from './candidates';
import { pointedCandidates, withElided, type EarlierOutput } from './pointers';
import type { Slot } from './slots';
import { MAX_TOKENS } from './spans';
import { viewOf, type View } from './view';

/** What a text gives for the parameters of a tool. */
export interface Extraction extends Assignment {
  readonly view: View;
  readonly args: Readonly<Record<string, unknown>>;
  /** The first required parameter, as declared, that the text does not give. */
  readonly missing?: string;
  /** True where the text only points back to the call before, which does what it asks for. */
  readonly repeats: boolean;
}

/** The plan before a text. */
export interface Before {
  readonly earlier?: EarlierOutput;
  readonly calls: readonly PlannedCall[];
  readonly tools: readonly ToolDescription[];
}

/** Work of a parameter, and of comparing it with one token for its labels and its values of a form. */
const SLOT_COST = 15;
const TOKEN_COST = 2;

/** The arguments for a tool that a text gives. Nothing is made up: a value is in the text, or comes from a step before. */
export function extractArguments(text: TokenText, tool: ToolDescription, before: Before): Extraction {
  const view = viewOf(text, tool);
  spend(view.slots.length * (SLOT_COST + TOKEN_COST * Math.min(text.tokens.length, MAX_TOKENS)));
  const { earlier, calls, tools } = before;
  // What a tool gave is not what it is called with once more.
  const lends = earlier && calls.at(-1)?.toolName !== tool.name ? earlier : undefined;
  // `check the stock of AB-1234 and move 10 of it`: of a call, what it was about rather than what it gave.
  const isLent = ({ kind }: EarlierOutput): boolean =>
    kind === 'unknown' &&
    view.slots.some(
      (slot) =>
        slot.parameter.required &&
        slot.parameter.type === 'string' &&
        valueFrom(slot, calls.slice(-1), tools) !== undefined,
    );
  const candidates = view.slots.map((slot) => [
    ...candidatesFor(view, slot),
    ...(lends && !isLent(lends) ? pointedCandidates(view, slot, lends) : []),
  ]);
  const assignment = assign(view.slots, candidates);
  const { chosen } = assignment;
  const found = new Map<string, unknown>(chosen.map(({ slot, value }) => [slot.name, value]));
  for (const pronouns of [OF_PERSONS, OF_THINGS]) {
    for (const [name, value] of fromCalls(view, found, chosen, calls, tools, pronouns))
      found.set(name, value);
  }
  if (earlier) withElided(view.slots, found, earlier);
  const missing = view.slots.find(({ name, parameter }) => parameter.required && !found.has(name))?.name;
  const args = inOrder(view.slots, found);
  return {
    ...assignment,
    view,
    args,
    ...(missing === undefined ? {} : { missing }),
    repeats: repeatsCall(view, args, calls.at(-1)),
  };
}

function inOrder(slots: readonly Slot[], found: ReadonlyMap<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(slots.flatMap(({ name }) => (found.has(name) ? [[name, found.get(name)]] : [])));
}
