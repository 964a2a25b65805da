import type { Token, TokenText } from '../text/token';
import type { ToolDescription } from '../types';

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
  /** Outputs of the first steps, if these have run. */
  readonly outputs: readonly StepOutput[];
}

/** Reads a clause as calls of one kind; undefined if nothing in it is about such a call. */
export type Reader = (clause: TokenText, context: ReadContext) => Reading | Lack | undefined;

/**
 * One tool call of a plan. An argument `{{1}}` is the output of the first step, `{{1.data}}` a part of it; the output of
 * json_reader counts as the value it read.
 */
export interface PlannedStep {
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface StepReference {
  /** From 1. */
  readonly step: number;
  readonly path: readonly string[];
}

export interface ProblemDetails {
  /** The required parameter that the sentence does not give. */
  readonly missing?: string;
  readonly toolName?: string;
  readonly extractedArgs?: Readonly<Record<string, unknown>>;
}

/** What a clause lacks to be a tool call. */
export interface Problem extends ProblemDetails {
  readonly message: string;
}
