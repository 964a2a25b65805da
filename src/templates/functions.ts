import { jsonLength } from '../contracts/json-length';
import { formatTime, readTime } from './format-date';

/** Characters of JSON of a value that a function takes, and of one that it gives. */
export const MAX_FUNCTION_LENGTH = 1_048_576;
/** Characters of a text in parentheses. */
const MAX_ARGUMENT = 100;

/** What a function gives. */
export type Applied =
  | { readonly value: unknown }
  /** `isAbsent`: there is nothing, so that a default may follow. */
  | { readonly problem: string; readonly isAbsent?: true }
  | { readonly isTooLong: true };

interface TemplateFunction {
  readonly hasArgument: boolean;
  /** @returns undefined where the function does not take such a value */
  apply(value: unknown, argument: string): Applied | undefined;
  /** What it takes, for an error. */
  readonly takes: string;
}

function ofText(convert: (text: string) => string): TemplateFunction {
  return {
    hasArgument: false,
    takes: 'a text',
    apply: (value) => (typeof value === 'string' ? { value: convert(value) } : undefined),
  };
}

function itemOf(name: string, at: 0 | -1): TemplateFunction {
  return {
    hasArgument: false,
    takes: 'a list',
    apply(value) {
      if (!Array.isArray(value)) return undefined;
      const empty: Applied = { problem: `there is no ${name} item in an empty list`, isAbsent: true };
      return value.length === 0 ? empty : { value: value.at(at) as unknown };
    },
  };
}

/** The functions of templates. They depend on nothing but what they are given. */
const FUNCTIONS: ReadonlyMap<string, TemplateFunction> = new Map([
  [
    'json',
    { hasArgument: false, takes: 'any value', apply: (value) => ({ value: JSON.stringify(value ?? null) }) },
  ],
  ['length', { hasArgument: false, takes: 'a text, a list or an object', apply: lengthOf }],
  ['lower', ofText((text) => text.toLowerCase())],
  ['upper', ofText((text) => text.toUpperCase())],
  ['trim', ofText((text) => text.trim())],
  [
    'date',
    {
      hasArgument: true,
      takes: 'a time of ISO 8601 or milliseconds since 1970',
      apply(value, format) {
        const time = readTime(value);
        return time === undefined ? undefined : { value: formatTime(time, format) };
      },
    },
  ],
  ['join', { hasArgument: true, takes: 'a list', apply: join }],
  ['first', itemOf('first', 0)],
  ['last', itemOf('last', -1)],
]);

/** The names of the functions, in the order of the documents. */
export const FUNCTION_NAMES: readonly string[] = [...FUNCTIONS.keys()];

/**
 * Whether there is a function of that name that is called so.
 * @param argument undefined where there are no parentheses; null where these have something other than one text
 */
export function isFunctionCall(
  name: string,
  argument: string | null | undefined,
): argument is string | undefined {
  const known = FUNCTIONS.get(name);
  if (known === undefined || argument === null) return false;
  return known.hasArgument
    ? argument !== undefined && argument.length <= MAX_ARGUMENT
    : argument === undefined;
}

/**
 * Applies a function. Pure.
 * @param length characters of JSON of the value
 */
export function applyFunction(name: string, value: unknown, length: number, argument = ''): Applied {
  const known = FUNCTIONS.get(name);
  if (known === undefined) return { problem: `there is no function "${name}"` };
  if (value === null && name !== 'json')
    return { problem: `${name} takes ${known.takes}, it is null`, isAbsent: true };
  if (length > MAX_FUNCTION_LENGTH) return { isTooLong: true };
  const applied = known.apply(value, argument);
  if (applied !== undefined) return applied;
  const what = Array.isArray(value) ? 'a list' : typeof value === 'string' ? 'another text' : typeof value;
  return { problem: `${name} takes ${known.takes}, it is ${what}` };
}

function lengthOf(value: unknown): Applied | undefined {
  if (Array.isArray(value)) return { value: value.length };
  if (typeof value === 'object' && value !== null) return { value: Object.keys(value).length };
  if (typeof value !== 'string') return undefined;
  let characters = 0;
  for (let at = 0; at < value.length; at += (value.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) characters += 1;
  return { value: characters };
}

function join(value: unknown, separator: string): Applied | undefined {
  if (!Array.isArray(value)) return undefined;
  const length = jsonLength(value, MAX_FUNCTION_LENGTH) + value.length * separator.length;
  if (length > MAX_FUNCTION_LENGTH) return { isTooLong: true };
  const texts = value.map((item: unknown) => (typeof item === 'string' ? item : JSON.stringify(item)));
  return { value: texts.join(separator) };
}
