import { PlainEnglishError } from '../errors';
import type { CalculatorOperation } from '../known-tools';
import type { PlannedStep, ProblemDetails, ReadContext, StepReference } from './reading';

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

/** True if the last step brought a document. */
export function hasDocument({ steps }: Pick<ReadContext, 'steps'>): boolean {
  return Object.hasOwn(PARTS, steps.at(-1)?.toolName ?? '');
}

const REFERENCE = /^\{\{(\d{1,3})((?:\.[A-Za-z_]\w*)*)\}\}$/;

/** Reads an argument that is a reference as a whole; undefined for anything else. */
export function parseReference(value: unknown): StepReference | undefined {
  const match = typeof value === 'string' ? REFERENCE.exec(value) : null;
  if (!match) return undefined;
  return { step: Number(match[1]), path: (match[2] ?? '').split('.').filter((name) => name !== '') };
}

/** A number, or the reference to one. */
type Operand = number | string;

export function calculate(operation: CalculatorOperation, a: Operand, b: Operand): PlannedStep {
  return { toolName: 'calculator', args: { operation, a, b } };
}

/** @returns `QUERY_NOT_UNDERSTOOD`, whose details name what is missing */
export function notUnderstood(message: string, details: ProblemDetails = {}): PlainEnglishError {
  return new PlainEnglishError(message, { field: 'query', message, ...details });
}
