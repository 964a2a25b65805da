import type { CalculatorOperation } from '../known-tools';

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
