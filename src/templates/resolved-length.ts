import { jsonLength } from '../contracts/json-length';
import { evaluateExpression } from './evaluate-expression';
import { parseTemplate } from './expression';
import { KEEP, TemplateLimitError, type TemplateScope } from './resolve';

/** An estimate, in characters of JSON. */
export interface ResolvedLength {
  /** The length of the value; with an error, the length of what was read before it. */
  readonly length: number;
  /** The error that resolving the value throws. */
  readonly error?: Error;
}

/** In JSON text within a text, quotes and backslashes are escaped once more, which at most doubles the length. */
const ESCAPED_ONCE_MORE = 2;

/**
 * Estimates how many characters of JSON a value has once its templates are resolved, without resolving them. The
 * estimate is never too low, and too high only if JSON is inserted into a text. Reading takes time even if a
 * value cannot be resolved, so an error comes with the length of what was read. Pure.
 * @param maxInserted as `resolveTemplates` takes it
 */
export function resolvedLength(value: unknown, scope: TemplateScope, maxInserted = Infinity): ResolvedLength {
  const estimator = new Estimator(scope, maxInserted);
  try {
    return { length: estimator.estimate(value) };
  } catch (error) {
    if (error instanceof Error) return { length: estimator.read, error };
    throw error;
  }
}

class Estimator {
  /** Characters that were read so far, of templates and of their values. */
  read = 0;

  readonly #scope: TemplateScope;
  #left: number;

  constructor(scope: TemplateScope, maxInserted: number) {
    this.#scope = scope;
    this.#left = maxInserted;
  }

  estimate(value: unknown): number {
    if (typeof value === 'string') return this.#estimateText(value);
    if (typeof value !== 'object' || value === null) return this.#note(jsonLength(value));
    // Counts brackets and commas; for an object also its names with their quotes and colons.
    const isList = Array.isArray(value);
    let length = 2;
    for (const [name, item] of Object.entries(value)) {
      length += 1 + (isList ? 0 : this.#estimateName(name) + 1) + this.estimate(item);
    }
    return length;
  }

  #estimateName(name: string): number {
    return name.includes('{{') ? this.#estimateText(name, true) : this.#note(jsonLength(name));
  }

  #estimateText(text: string, isName = false): number {
    this.#note(text.length);
    if (!text.includes('{{')) return jsonLength(text);
    const parts = parseTemplate(text);
    let length = 2;
    for (const part of parts) {
      const value =
        typeof part === 'string' ? KEEP : evaluateExpression(part, this.#scope, this.#takeLength, isName);
      const written = typeof part === 'string' ? part : part.text;
      length +=
        value === KEEP ? jsonLength(written) : this.#estimateInserted(value, written, parts.length === 1);
    }
    return length;
  }

  #estimateInserted(value: unknown, expression: string, isAlone: boolean): number {
    if (typeof value === 'string') {
      this.#takeLength(expression, value.length);
      return this.#note(jsonLength(value));
    }
    const length = this.#note(jsonLength(value, Math.max(0, this.#left)));
    this.#takeLength(expression, length);
    return length * (isAlone ? 1 : ESCAPED_ONCE_MORE);
  }

  #note(length: number): number {
    this.read += length;
    return length;
  }

  readonly #takeLength = (expression: string, length: number): void => {
    this.#left -= length;
    if (this.#left < 0) throw new TemplateLimitError(expression, 'the arguments would become too long');
  };
}
