import { isObject } from '../text/json-text';
import type { ParameterType, ToolParameter, ToolParameters } from '../types';

/** Longest part of a name or a value that a message repeats, characters. */
const SHOWN_LENGTH = 64;

/**
 * The first argument that the tool would refuse, or undefined. A tool that declares no parameters takes any argument.
 * @param isOpen true for a value whose type is not known yet, such as the output of an earlier call
 */
export function findProblem(
  parameters: ToolParameters,
  args: Readonly<Record<string, unknown>>,
  isOpen: (value: unknown) => boolean,
): { readonly name: string; readonly message: string } | undefined {
  const declared = Object.keys(parameters);
  if (declared.length === 0) return undefined;
  for (const [name, parameter] of Object.entries(parameters)) {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    const message = messageFor(parameter, value, isOpen);
    if (message !== undefined) return { name, message };
  }
  const unknown = Object.keys(args).find((name) => !Object.hasOwn(parameters, name));
  if (unknown === undefined) return undefined;
  const message = `is not an argument of this tool; it takes ${declared.join(', ')}`;
  return { name: unknown.slice(0, SHOWN_LENGTH), message };
}

function messageFor(
  { type, required, enum: choices }: ToolParameter,
  value: unknown,
  isOpen: (value: unknown) => boolean,
): string | undefined {
  if (value === undefined) return required ? `is required (${type})` : undefined;
  if (isOpen(value)) return undefined;
  const { noun, fits } = TYPES[type];
  if (!fits(value)) return `must be ${noun}, got ${describe(value)}`;
  if (choices && !choices.includes(value as string)) {
    const shown = typeof value === 'string' ? value : JSON.stringify(value);
    return `must be one of ${choices.join(', ')}; got ${JSON.stringify(shown.slice(0, SHOWN_LENGTH))}`;
  }
  return undefined;
}

const TYPES: Readonly<
  Record<ParameterType, { readonly noun: string; readonly fits: (value: unknown) => boolean }>
> = {
  string: { noun: 'a string', fits: (value) => typeof value === 'string' },
  boolean: { noun: 'a boolean', fits: (value) => typeof value === 'boolean' },
  number: { noun: 'a finite number', fits: Number.isFinite },
  integer: { noun: 'an integer', fits: Number.isInteger },
  object: { noun: 'an object', fits: isObject },
  array: { noun: 'an array', fits: Array.isArray },
  any: { noun: 'a JSON value', fits: (value) => typeof value !== 'number' || Number.isFinite(value) },
};

/** A text is not repeated, because it may be a secret in the wrong place. */
function describe(value: unknown): string {
  if (typeof value === 'number') return `the number ${value}`;
  if (value === null) return 'null';
  const noun = Array.isArray(value) ? 'array' : typeof value;
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}
