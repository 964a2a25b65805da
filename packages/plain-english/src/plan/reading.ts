import type { ToolDescription } from '../types';
import type { EarlierOutput } from '../arguments/pointers';
import type { TokenText } from '../text/token';
import type { Problem } from './problem';
import type { PlannedStep } from './step';

/** One way to understand a clause. */
export interface Reading {
  /** 0 to about 2; what is certain from its form is above 1. */
  readonly score: number;
  readonly steps: readonly PlannedStep[];
  /** Set where something is missing; the steps are then empty. */
  readonly problem?: Problem;
}

/** What a clause is read against. */
export interface ReadContext {
  readonly tools: readonly ToolDescription[];
  /** The plan so far. */
  readonly steps: readonly PlannedStep[];
}

/** Reads a clause as a call of one kind; undefined where it is not a call of that kind. */
export type Reader = (clause: TokenText, context: ReadContext) => Reading | undefined;

export function hasTool({ tools }: ReadContext, name: string): boolean {
  return tools.some((tool) => tool.name === name);
}

/** The reference to the output of the step `back` steps ago, 1 being the last. */
export function referenceBack({ steps }: Pick<ReadContext, 'steps'>, back = 1): string | undefined {
  const index = steps.length - back;
  const step = steps[index];
  return step && `{{${index + 1}${partOf(step.toolName)}}}`;
}

/** Of an output with several parts, the one that later steps mean. */
function partOf(toolName: string): string {
  if (toolName === 'api_call') return '.data';
  return toolName === 'file_read' ? '.content' : '';
}

const KINDS: Readonly<Record<string, EarlierOutput['kind']>> = {
  calculator: 'number',
  api_call: 'data',
  file_read: 'text',
  weather: 'data',
};

export function earlierOutput(context: ReadContext): EarlierOutput | undefined {
  const reference = referenceBack(context);
  const last = context.steps.at(-1);
  return last && reference !== undefined ? { reference, kind: KINDS[last.toolName] ?? 'unknown' } : undefined;
}

/** True where the last step brought data with named parts. */
export function hasData({ steps }: Pick<ReadContext, 'steps'>): boolean {
  const last = steps.at(-1)?.toolName;
  return last === 'api_call' || last === 'file_read';
}

export function incomplete(score: number, problem: Problem): Reading {
  return { score, steps: [], problem };
}
