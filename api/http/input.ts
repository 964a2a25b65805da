import type { z } from 'zod';
import { validationError } from '../../src/base/errors';

type Issue = z.core.$ZodIssue;

/** Writes a path as in code: `args.b`, `tools[1].toolName`. */
function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');
}

/**
 * Chooses among the problems of a union's branches the one with the longest path, since that branch fits the input
 * best.
 */
function findDeepestIssue(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors.flat().map((nested) => ({ ...nested, path: [...issue.path, ...nested.path] }));
  return inner.sort((a, b) => b.path.length - a.path.length)[0] ?? issue;
}

/**
 * Validates one part of a request.
 * @throws HoldfastError `VALIDATION` naming the first invalid field; `fallbackField` where the part as a whole is
 *   invalid
 */
export function parseInput(schema: z.ZodType | undefined, value: unknown, fallbackField: string): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const first = parsed.error.issues[0];
  if (first === undefined) throw validationError(fallbackField, 'is invalid');
  const issue = findDeepestIssue(first);
  const missing = issue.code === 'invalid_type' && issue.input === undefined && issue.path.length > 0;
  const field = formatPath(issue.path) || fallbackField;
  throw validationError(field, missing ? `${field} is required` : issue.message);
}
