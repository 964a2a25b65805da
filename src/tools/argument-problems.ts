import { HoldfastError } from '../base/errors';
import { namesIn, valueAt } from '../base/json/pointer';
import { isJsonObject, type JsonObject } from '../contracts/json';
import type { ArgumentCheck, ArgumentProblem, CheckedTool } from './argument-check';

/** Arguments that are checked before all of their values are known. */
export interface PartlyKnown {
  /** True for a value, or the name of a property, that is not known yet, or only in parts, such as a text with a template in it. */
  readonly skip?: ((value: unknown) => boolean) | undefined;
}

/**
 * Checks arguments, as far as they are known.
 * @param field the place of the arguments in the request, as in `tools[1].args`
 * @returns the arguments with their defaults; unchanged if a problem may only come from what is not known yet
 * @throws HoldfastError `VALIDATION` naming the first problem's field, as in `args.b`, with all of them as JSON pointers; as
 * `ArgumentCheck` does
 */
export async function checkedArguments(
  check: ArgumentCheck,
  tool: CheckedTool,
  args: JsonObject,
  signal: AbortSignal,
  field = 'args',
  { skip }: PartlyKnown = {},
): Promise<JsonObject> {
  const checked = await check(tool, args, signal);
  if ('args' in checked) return checked.args;
  const problems = skip === undefined ? checked.problems : certainProblems(checked.problems, args, skip);
  if (problems.length > 0) throw argumentsError(field, problems);
  return args;
}

/**
 * Builds the error for arguments that a schema refuses.
 * @param field as in `checkedArguments`; pointers begin with it
 */
export function argumentsError(field: string, problems: readonly ArgumentProblem[]): HoldfastError {
  const [first] = problems;
  const message = first?.message ?? 'is invalid';
  const root = toPointer(field);
  return new HoldfastError('VALIDATION', message, {
    details: {
      field: field + toPath(first?.pointer ?? ''),
      message,
      problems: problems.map((problem) => ({ pointer: root + problem.pointer, message: problem.message })),
    },
  });
}

/** Writes a JSON pointer as a path of a field, as in `.items[0].id`. */
export function toPath(pointer: string): string {
  return namesIn(pointer)
    .map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`))
    .join('');
}

/** Writes the path of a field, as in `tools[1].args.b`, as a JSON pointer. Pure. */
export function toPointer(field: string): string {
  return `/${field.replaceAll(/\[(\d+)\]/g, '/$1').replaceAll('.', '/')}`;
}

/** Keywords that choose or refuse a schema by a value, so that what they say depends on every part of the value. */
const CHOOSING: ReadonlySet<string | undefined> = new Set(['anyOf', 'oneOf', 'not', 'if']);

/** Keywords whose problems depend on the names of all properties beside the one that the pointer names. */
const OF_NAMES: ReadonlySet<string | undefined> = new Set([
  'required',
  'additionalProperties',
  'unevaluatedProperties',
]);

/** Keeps the problems that do not depend on a value, or on the name of a property, that is not known. */
function certainProblems(
  problems: readonly ArgumentProblem[],
  args: JsonObject,
  isUnknown: (value: unknown) => boolean,
): readonly ArgumentProblem[] {
  const open = problems
    .filter(({ keyword, pointer }) => CHOOSING.has(keyword) && isUnknown(valueAt(args, pointer)))
    .map(({ pointer }) => pointer);
  const isNamed = ({ keyword }: ArgumentProblem): boolean =>
    keyword === 'additionalProperties' || keyword === 'unevaluatedProperties';
  return problems.filter(
    (problem) =>
      !open.some((pointer) => problem.pointer === pointer || problem.pointer.startsWith(`${pointer}/`)) &&
      (isNamed(problem) || !isUnknown(valueAt(args, problem.pointer))) &&
      !dependsOnName(problem, args, isUnknown),
  );
}

/**
 * Whether a problem may vanish once the names of properties are known: it is in the value of a property whose name is not known, or
 * says which properties an object has that has such a name.
 */
function dependsOnName(
  { keyword, pointer }: ArgumentProblem,
  args: JsonObject,
  isUnknown: (value: unknown) => boolean,
): boolean {
  if (namesIn(pointer).some(isUnknown)) return true;
  if (!OF_NAMES.has(keyword)) return false;
  const around = valueAt(args, pointer.slice(0, pointer.lastIndexOf('/')));
  return isJsonObject(around) && Object.keys(around).some(isUnknown);
}
