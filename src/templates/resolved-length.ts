import { jsonLength } from '../contracts/json-length';
import { parseTemplate } from './expression';
import type { TemplateScope } from './resolve';
import { KEEP, TemplateReferenceError } from './resolve';

/** JSON text within a text is written with its quotes and backslashes escaped once more, which at most doubles it. */
const ESCAPED_ONCE_MORE = 2;

/**
 * About how many characters of JSON a value has once its templates are resolved, without resolving them: never fewer than it
 * turns out to have, and more only where JSON is inserted into a text. Pure.
 * @param maxInserted as `resolveTemplates` takes it
 * @returns 0 for what cannot be resolved, or not within that bound: resolving it reports so
 */
export function resolvedLength(value: unknown, scope: TemplateScope, maxInserted = Infinity): number {
  try {
    return new Estimate(scope, maxInserted).lengthOf(value);
  } catch (error) {
    if (error instanceof TemplateReferenceError) return 0;
    throw error;
  }
}

class Estimate {
  constructor(
    private readonly scope: TemplateScope,
    private left: number,
  ) {}

  lengthOf(value: unknown): number {
    if (typeof value === 'string') return this.ofText(value);
    if (typeof value !== 'object' || value === null) return jsonLength(value);
    // The brackets of a list and the commas between its items; with the names of an object their quotes and colons too.
    const isList = Array.isArray(value);
    let length = 2;
    for (const [name, item] of Object.entries(value)) {
      length += 1 + (isList ? 0 : jsonLength(name) + 1) + this.lengthOf(item);
    }
    return length;
  }

  private ofText(text: string): number {
    if (!text.includes('{{')) return jsonLength(text);
    const parts = parseTemplate(text);
    let length = 2;
    for (const part of parts) {
      const value = typeof part === 'string' ? KEEP : this.scope(part);
      if (value === KEEP) length += jsonLength(typeof part === 'string' ? part : part.text);
      else length += this.ofInserted(value, text, parts.length === 1);
    }
    return length;
  }

  private ofInserted(value: unknown, text: string, isAlone: boolean): number {
    if (typeof value === 'string') {
      this.take(value.length, text);
      return jsonLength(value);
    }
    const length = jsonLength(value, Math.max(0, this.left));
    this.take(length, text);
    return length * (isAlone ? 1 : ESCAPED_ONCE_MORE);
  }

  private take(length: number, text: string): void {
    this.left -= length;
    if (this.left < 0) throw new TemplateReferenceError(text, 'the arguments would become too long');
  }
}
