import { PlainEnglishError } from '../errors';
import type { CalculatorOperation } from '../known-tools';
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

/**
 * One tool call of a plan. An argument `{{1}}` is the output of the first step, `{{1.data}}` a part of it; the output of
 * json_reader counts as the value it read.
 */
export interface PlannedStep {
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const REFERENCE = /^\{\{(\d{1,3})((?:\.[A-Za-z_]\w*)*)\}\}$/;

export interface StepReference {
  /** From 1. */
  readonly step: number;
  readonly path: readonly string[];
}

/** Reads an argument that is a reference as a whole; undefined for anything else. */
export function parseReference(value: unknown): StepReference | undefined {
  const found = typeof value === 'string' ? REFERENCE.exec(value) : null;
  if (!found) return undefined;
  return { step: Number(found[1]), path: (found[2] ?? '').split('.').filter((name) => name !== '') };
}

export function calculate(
  operation: CalculatorOperation,
  a: number | string,
  b: number | string,
): PlannedStep {
  return { toolName: 'calculator', args: { operation, a, b } };
}

interface ProblemDetails {
  /** The required parameter that the sentence does not give. */
  readonly missing?: string;
  readonly toolName?: string;
  readonly extractedArgs?: Readonly<Record<string, unknown>>;
}

/** What a clause lacks to be a tool call. */
export interface Problem extends ProblemDetails {
  readonly message: string;
}

/** @returns `QUERY_NOT_UNDERSTOOD`, whose details name what is missing */
export function notUnderstood(message: string, details: ProblemDetails = {}): PlainEnglishError {
  return new PlainEnglishError(message, { field: 'query', message, ...details });
}
