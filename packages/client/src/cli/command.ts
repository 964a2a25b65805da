import type { HoldfastClient } from '../index.js';
import type { Output } from './output.js';

/** A command line that is wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What a command line says. */
export interface Line {
  readonly client: HoldfastClient;
  readonly operands: readonly string[];
  /** The value of an option; undefined if it is absent. */
  option(name: string): string | undefined;
  /** The values of an option that may be repeated. */
  options(name: string): readonly string[];
  /** Whether an option without a value is there. */
  has(name: string): boolean;
}

export interface Command {
  readonly summary: string;
  /** As the usage shows them: `[NAME]` may be left out, and `[NAME]...` may be repeated. */
  readonly operands: readonly string[];
  /** What the values of the options are; empty for an option without a value, and `NAME...` for one that may be repeated. */
  readonly options?: Readonly<Record<string, string>>;
  /** @returns the exit code, if it is not 0 @throws UsageError; HoldfastApiError; HoldfastRunError */
  run(line: Line, output: Output): Promise<number | undefined>;
}

/** Splits texts as in `name=value`. @throws UsageError for a text without `=` */
export function readPairs(texts: readonly string[]): readonly (readonly [string, string])[] {
  return texts.map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw new UsageError(`"${text}" is not NAME=VALUE`);
    return [text.slice(0, at), text.slice(at + 1)];
  });
}

/** Reads pairs as an object. A value that is JSON is that JSON, and any other is text, as in `a=2 place="Paris" unit=km`. */
export function readFields(texts: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(readPairs(texts).map(([name, value]) => [name, readValue(value)]));
}

function readValue(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // A double would change the digits.
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? text : value;
  } catch {
    return text;
  }
}

/** @param what names the text in the message @throws UsageError */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${what} is not JSON: ${(error as Error).message}`);
  }
}
