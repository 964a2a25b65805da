import type { ToolDescription } from '../types';
import type { Token, TokenText } from '../text/token';
import type { Problem } from './problem';
import type { PlannedStep } from './step';

/** The calls that a clause asks for. */
export interface Reading {
  readonly steps: readonly PlannedStep[];
  /** What of the clause the calls come from; a clause with another word that says something is refused. */
  readonly read: ReadonlySet<Token>;
  /** Of two readings of the whole clause the heavier one is meant; about 1. */
  readonly weight: number;
}

/** Why a clause is no call, though it may well be meant as one. */
export interface Lack {
  readonly problem: Problem;
  /** The heaviest lack of a sentence is what its author reads; below 1. */
  readonly weight: number;
}

/** The output of a step that has run. */
export interface StepOutput {
  readonly toolName: string;
  readonly output: unknown;
}

/** What a clause is read against. */
export interface ReadContext {
  readonly tools: readonly ToolDescription[];
  /** The plan so far. */
  readonly steps: readonly PlannedStep[];
  /** Outputs of the first steps, where these have run. */
  readonly outputs: readonly StepOutput[];
}

/** Reads a clause as calls of one kind; undefined where nothing in it is about such a call. */
export type Reader = (clause: TokenText, context: ReadContext) => Reading | Lack | undefined;

export function hasTool({ tools }: ReadContext, name: string): boolean {
  return tools.some((tool) => tool.name === name);
}

/** The reference to the output of the last step. */
export function referenceBack({ steps }: Pick<ReadContext, 'steps'>): string | undefined {
  const last = steps.at(-1);
  return last && `{{${steps.length}${PARTS[last.toolName] ?? ''}}}`;
}

/** Of an output with several parts, the one that later steps mean. */
const PARTS: Readonly<Record<string, string>> = { api_call: '.data', file_read: '.content' };

/** True where the last step brought a document. */
export function hasDocument({ steps }: Pick<ReadContext, 'steps'>): boolean {
  return Object.hasOwn(PARTS, steps.at(-1)?.toolName ?? '');
}
