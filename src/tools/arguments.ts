import type { ParameterType, ToolParameter, ToolParameters } from '../contracts/http/tools';
import { validationError } from '../base/errors';
import { isJsonObject } from '../contracts/json';
import { typeWord } from './parameters';

export interface CheckArgumentsOptions {
  /** True for a value whose type and choice are not known yet, such as a text with a template in it. */
  readonly skip?: (value: unknown) => boolean;
}

/** Maximum number of characters of an offending name or value in an error text, because error texts are stored. */
const SHOWN_LENGTH = 64;

/**
 * Checks a call's arguments against the declared parameters. Undeclared arguments are refused, because most of them are
 * misspelt names. A tool that declares no parameters takes any arguments.
 * @param fieldPrefix the place of the arguments in the request, as in `tools[1].args`
 * @throws HoldfastError `VALIDATION` for the first problem, its field naming the argument, as in `args.b`
 */
export function checkArguments(
  parameters: ToolParameters,
  args: unknown,
  fieldPrefix = 'args',
  { skip }: CheckArgumentsOptions = {},
): void {
  if (!isJsonObject(args))
    throw validationError(fieldPrefix, `must be an object, got ${describeValue(args)}`);
  const declared = Object.keys(parameters);
  if (declared.length === 0) return;
  for (const [name, parameter] of Object.entries(parameters)) {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    const problem =
      value === undefined
        ? describeAbsence(parameter)
        : skip?.(value)
          ? undefined
          : describeMismatch(parameter, value);
    if (problem !== undefined) throw validationError(`${fieldPrefix}.${name}`, problem);
  }
  const unknown = Object.keys(args).find((name) => !Object.hasOwn(parameters, name));
  if (unknown !== undefined) {
    throw validationError(
      `${fieldPrefix}.${unknown.slice(0, SHOWN_LENGTH)}`,
      `is not an argument of this tool; it takes ${declared.join(', ')}`,
    );
  }
}

function describeAbsence({ required, type }: ToolParameter): string | undefined {
  return required ? `is required (${type})` : undefined;
}

function describeMismatch({ type, enum: choices }: ToolParameter, value: unknown): string | undefined {
  if (!isOfType(type, value)) return `must be ${describeType(type)}, got ${describeValue(value)}`;
  if (choices && !choices.includes(value as string)) {
    return `must be one of ${choices.join(', ')}; got ${JSON.stringify(String(value).slice(0, SHOWN_LENGTH))}`;
  }
  return undefined;
}

function isOfType(type: ParameterType, value: unknown): boolean {
  switch (type) {
    case 'string':
    case 'boolean':
      return typeof value === type;
    case 'number':
      return Number.isFinite(value);
    case 'integer':
      return Number.isInteger(value);
    case 'object':
      return isJsonObject(value);
    case 'array':
      return Array.isArray(value);
    case 'any':
      return typeof value !== 'number' || Number.isFinite(value);
    default:
      return assertNever(type);
  }
}

function assertNever(type: never): never {
  throw new Error(`unknown parameter type ${String(type)}`);
}

function describeType(type: ParameterType): string {
  if (type === 'number') return 'a finite number';
  if (type === 'any') return 'a JSON value';
  return withArticle(type);
}

/** Describes the value that was received. It never repeats a text, which may be a secret in the wrong place. */
function describeValue(value: unknown): string {
  if (typeof value === 'number') return `the number ${value}`;
  const word = typeWord(value);
  return word === 'null' || word === 'undefined' ? word : withArticle(word);
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}
