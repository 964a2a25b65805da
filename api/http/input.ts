import type { z } from 'zod';
import { validationError } from '../../src/base/errors';

type Issue = z.core.$ZodIssue;

/** `args.b`, `tools[1].toolName`: how a path is written in code. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');
}

/** Of several problems in a union's branches, the one that got furthest tells the most. */
function mostTelling(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors.flat().map((nested) => ({ ...nested, path: [...issue.path, ...nested.path] }));
  return inner.sort((a, b) => b.path.length - a.path.length)[0] ?? issue;
}

/**
 * Validates one part of a request.
 * @throws HoldfastError `VALIDATION` naming the first offending field; `fallbackField` where that is the whole
 */
export function parseInput(schema: z.ZodType | undefined, value: unknown, fallbackField: string): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const first = parsed.error.issues[0];
  if (first === undefined) throw validationError(fallbackField, 'is invalid');
  const issue = mostTelling(first);
  const missing = issue.code === 'invalid_type' && issue.input === undefined && issue.path.length > 0;
  const field = formatPath(issue.path) || fallbackField;
  throw validationError(field, missing ? `${field} is required` : issue.message);
}
