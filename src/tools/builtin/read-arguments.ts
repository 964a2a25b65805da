import { validationError } from '../../base/errors';
import type { ToolArguments } from '../tool';

/*
 * Typed access to arguments. The runner checks calls against the declared parameters before; these functions throw for calls
 * that arrive in another way.
 */

/** @throws HoldfastError `VALIDATION` */
export function readString(args: ToolArguments, name: string): string {
  const value = readAny(args, name);
  if (typeof value !== 'string') throw validationError(`args.${name}`, 'must be a string');
  return value;
}

/** @throws HoldfastError `VALIDATION` */
export function readNumber(args: ToolArguments, name: string): number {
  const value = readAny(args, name);
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw validationError(`args.${name}`, 'must be a finite number');
  }
  return value;
}

/**
 * One of `choices`, or `fallback` (if given) when the argument is absent.
 * @throws HoldfastError `VALIDATION`
 */
export function readChoice<Choice extends string>(
  args: ToolArguments,
  name: string,
  choices: readonly Choice[],
  fallback?: Choice,
): Choice {
  const value = readAny(args, name) ?? fallback;
  const choice = choices.find((candidate) => candidate === value);
  if (choice === undefined) throw validationError(`args.${name}`, `must be one of ${choices.join(', ')}`);
  return choice;
}

/** The argument as it is; undefined if it is absent. */
export function readAny(args: ToolArguments, name: string): unknown {
  return Object.hasOwn(args, name) ? args[name] : undefined;
}
