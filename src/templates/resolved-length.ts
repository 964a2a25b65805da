import { jsonLength } from '../contracts/json-length';
import { parseTemplate } from './expression';
import type { TemplateScope } from './resolve';
import { KEEP, TemplateReferenceError } from './resolve';

/** Characters of JSON. */
export interface ResolvedLength {
  /** Of the value; where there is an error, what was read before it. */
  readonly length: number;
  /** What resolving the value throws. */
  readonly error?: Error;
}

/** JSON text within a text is written with its quotes and backslashes escaped once more, which at most doubles it. */
const ESCAPED_ONCE_MORE = 2;

/**
 * About how many characters of JSON a value has once its templates are resolved, without resolving them: never fewer than it
 * turns out to have, and more only where JSON is inserted into a text. Pure. A value that cannot be resolved takes as much time
 * up to the error as one that can, so the error comes with the length of what was read.
 * @param maxInserted as `resolveTemplates` takes it
 */
export function resolvedLength(value: unknown, scope: TemplateScope, maxInserted = Infinity): ResolvedLength {
  const estimate = new Estimate(scope, maxInserted);
  try {
    return { length: estimate.lengthOf(value) };
  } catch (error) {
    if (error instanceof Error) return { length: estimate.read, error };
    throw error;
  }
}

class Estimate {
  /** Characters that were read so far, of templates and of what they stand for. */
  read = 0;

  constructor(
    private readonly scope: TemplateScope,
    private left: number,
  ) {}

  lengthOf(value: unknown): number {
    if (typeof value === 'string') return this.ofText(value);
    if (typeof value !== 'object' || value === null) return this.note(jsonLength(value));
    // The brackets of a list and the commas between its items; with the names of an object their quotes and colons too.
    const isList = Array.isArray(value);
    let length = 2;
    for (const [name, item] of Object.entries(value)) {
      length += 1 + (isList ? 0 : this.note(jsonLength(name)) + 1) + this.lengthOf(item);
    }
    return length;
  }

  private ofText(text: string): number {
    this.note(text.length);
    if (!text.includes('{{')) return jsonLength(text);
    const parts = parseTemplate(text);
    let length = 2;
    for (const part of parts) {
      const value = typeof part === 'string' ? KEEP : this.scope(part);
      const written = typeof part === 'string' ? part : part.text;
      length += value === KEEP ? jsonLength(written) : this.ofInserted(value, written, parts.length === 1);
    }
    return length;
  }

  private ofInserted(value: unknown, expression: string, isAlone: boolean): number {
    if (typeof value === 'string') {
      this.take(value.length, expression);
      return this.note(jsonLength(value));
    }
    const length = this.note(jsonLength(value, Math.max(0, this.left)));
    this.take(length, expression);
    return length * (isAlone ? 1 : ESCAPED_ONCE_MORE);
  }

  private note(length: number): number {
    this.read += length;
    return length;
  }

  private take(length: number, expression: string): void {
    this.left -= length;
    if (this.left < 0) throw new TemplateReferenceError(expression, 'the arguments would become too long');
  }
}
