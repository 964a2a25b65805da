import type { z } from 'zod';
import { validationError, HoldfastError } from '../../src/base/errors';
import { throwFirst } from '../../src/base/problems';
import { isKeptNumber, KEPT_NUMBER } from '../../src/base/json/scan';
import { formatPath, ignoredNames } from './schema-keys';
import { findKeyProblem, type KeyRules, type UnknownKeys } from './unknown-keys';
import type { ErrorCode } from '../../src/base/error-codes';

type Issue = z.core.$ZodIssue;
type UnknownKeysIssue = z.core.$ZodIssueUnrecognizedKeys;
/** The names that the object of an issue may have, by the list of those that it may not have. */
type KnownNames = Map<readonly string[], readonly string[]>;

/** Maximum number of unknown fields of one object: each of them is compared with all known ones. */
const MAX_UNKNOWN = 50;
const SHOWN_LENGTH = 64;
/** What a schema of numbers expects. */
const NUMBERS: ReadonlySet<string> = new Set(['number', 'int']);

/** One part of a request after validation. */
export interface Input {
  readonly data: unknown;
  /** The paths of the fields that were ignored. */
  readonly ignored: readonly string[];
}

/**
 * Validates one part of a request.
 * @throws HoldfastError `VALIDATION` naming the first invalid field, and a field that is not known before others;
 *   `fallbackField` if the part as a whole is invalid
 */
export function parseInput(schema: z.ZodType | undefined, value: unknown, fallbackField: string): unknown {
  return schema === undefined ? undefined : readInput(schema, value, fallbackField).data;
}

/** Validates one part of a request that may have further fields. @throws HoldfastError as `parseInput` does */
export function readInput(
  schema: z.ZodType,
  value: unknown,
  fallbackField: string,
  rules: KeyRules = {},
): Input {
  const { data, ignored } = throwFirst(inputProblems(schema, value, fallbackField, rules));
  return { data, ignored };
}

/** What is left of a part of a request that may be invalid. */
export interface CheckedInput extends Input {
  /** The part without the fields that are not known. `data` is undefined if this is invalid. */
  readonly rest: unknown;
}

/** Finds every problem of one part of a request, first those of fields that are not known. Each is a `VALIDATION`. */
export function* inputProblems(
  schema: z.ZodType,
  value: unknown,
  fallbackField: string,
  rules: KeyRules = {},
): Generator<HoldfastError, CheckedInput> {
  const ignored = ignoredNames(schema).filter((name) => Object.hasOwn(Object(value) as object, name));
  let rest = value;
  // Each round leaves out at least one field, and those of all levels at once.
  for (;;) {
    const known: KnownNames = new Map();
    const parsed = schema.safeParse(rest, { reportInput: true, error: (issue) => noteNames(issue, known) });
    if (parsed.success) return { data: parsed.data, ignored, rest };
    const issues = parsed.error.issues.map(findDeepestIssue);
    const unknown = issues.filter((issue) => issue.code === 'unrecognized_keys');
    if (issues.length === 0) yield validationError(fallbackField, 'is invalid');
    for (const { path, keys } of unknown) {
      const level = { schema, path, known: known.get(keys) ?? [] };
      ignored.push(...(yield* unknownKeyProblems(level, keys, rules)));
      rest = leaveOut(rest, path, new Set(keys));
    }
    if (unknown.length > 0) continue;
    for (const issue of issues) yield toError(issue, fallbackField);
    return { data: undefined, ignored, rest };
  }
}

/** Finds the unknown fields of an object that are problems. @returns the paths of those that are ignored */
function* unknownKeyProblems(
  level: UnknownKeys,
  keys: readonly string[],
  rules: KeyRules,
): Generator<HoldfastError, string[]> {
  const ignored: string[] = [];
  for (const key of keys.slice(0, MAX_UNKNOWN)) {
    const field = formatPath([...level.path, key.slice(0, SHOWN_LENGTH)]);
    const problem = findKeyProblem(level, key, rules);
    if (problem === undefined) ignored.push(field);
    else yield validationError(field, `${field} ${problem}`);
  }
  const [next] = keys.slice(MAX_UNKNOWN);
  if (next === undefined) return ignored;
  const field = formatPath([...level.path, next.slice(0, SHOWN_LENGTH)]);
  yield validationError(
    field,
    `${field} is one of ${keys.length} fields that are not known, more than ${MAX_UNKNOWN}`,
  );
  return ignored;
}

function toError(issue: Issue, fallbackField: string): HoldfastError {
  const missing = issue.code === 'invalid_type' && issue.input === undefined && issue.path.length > 0;
  const field = formatPath(issue.path) || fallbackField;
  if (missing) return validationError(field, `${field} is required`);
  const isKept = issue.code === 'invalid_type' && NUMBERS.has(issue.expected) && isKeptNumber(issue.input);
  return validationError(field, isKept ? `must be a number, got ${KEPT_NUMBER}` : issue.message);
}

/**
 * Notes which names an object may have: the issues that zod returns have no schema.
 * @returns a message that nothing shows; that of zod lists all unknown names, which takes long if they are many
 */
function noteNames(issue: z.core.$ZodRawIssue, known: KnownNames): string | undefined {
  if (issue.code !== 'unrecognized_keys') return undefined;
  const { shape = {} } = (issue.inst?._zod.def ?? {}) as { readonly shape?: object };
  known.set(issue.keys, Object.keys(shape));
  return 'has fields that are not known';
}

/** Copies a value without some fields of the object at a path. */
function leaveOut(value: unknown, path: readonly PropertyKey[], keys: ReadonlySet<string>): unknown {
  const [step, ...inner] = path;
  if (Array.isArray(value))
    return value.map((each: unknown, index) => (index === step ? leaveOut(each, inner, keys) : each));
  const entries = Object.entries(value as object);
  if (step === undefined) return Object.fromEntries(entries.filter(([name]) => !keys.has(name)));
  return Object.fromEntries(
    entries.map(([name, each]) => [name, name === step ? leaveOut(each, inner, keys) : (each as unknown)]),
  );
}

/**
 * Chooses among the problems of a union's branches the one with the longest path, since that branch fits the input
 * best.
 */
function findDeepestIssue(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors.flat().map((nested) => ({ ...nested, path: [...issue.path, ...nested.path] }));
  return inner.sort((one, other) => depthOf(other) - depthOf(one))[0] ?? issue;
}

/** An unknown field is inside of the object that its issue names. */
function depthOf({ code, path }: Issue | UnknownKeysIssue): number {
  return path.length + (code === 'unrecognized_keys' ? 1 : 0);
}

/**
 * Converts the error of a missing or empty query to the code that the area has for it; other validation errors pass
 * through.
 */
export function asQueryProblem(code: ErrorCode): (error: HoldfastError, body: unknown) => HoldfastError {
  return (error, body) => {
    const query = (body as { query?: unknown } | null)?.query;
    if (typeof query === 'string' && query.trim() !== '') return error;
    // A query under another name is the likely reason.
    const hint = / is not known/.test(error.message) ? `; ${error.message}` : '';
    return new HoldfastError(code, `query must be a non-empty string${hint}`);
  };
}
