import { shorten } from '../contracts/json';
import { jsonLength } from '../contracts/json-length';
import { describeNames } from './known-names';
import { hasExpression, parseTemplate, type TemplateExpression } from './expression';

/** Looks up the value of an expression; `KEEP` leaves the text of the expression as it is. */
export type TemplateScope = (expression: TemplateExpression) => unknown;

/** A scope returns this for a reference that it does not resolve. */
export const KEEP = Symbol('keep');

/** Characters of a reference in an error, because errors are stored in histories. */
const SHOWN_LENGTH = 200;

/** Shortens a reference, or a part of one, for an error. Pure. */
export function showReference(text: string | number): string {
  return shorten(String(text), SHOWN_LENGTH);
}

/** A reference that cannot be resolved. It is a plain Error, so that a workflow can throw it. */
export class TemplateReferenceError extends Error {
  override readonly name = 'TemplateReferenceError';
  constructor(
    readonly expression: string,
    reason: string,
  ) {
    super(`${showReference(expression)} cannot be resolved: ${reason}`);
  }
}

/** A limit that the values of references exceed, such as their length, whatever their type. */
export class TemplateLimitError extends TemplateReferenceError {}

/** Counts the length that resolving may still add. */
class Allowance {
  #left: number;

  constructor(maxLength: number) {
    this.#left = maxLength;
  }

  /**
   * Subtracts the length of a value as text, without building the text.
   * @throws TemplateLimitError where the value does not fit any more
   */
  take(expression: string, value: unknown): void {
    this.#left -= typeof value === 'string' ? value.length : jsonLength(value, Math.max(0, this.#left));
    if (this.#left < 0) throw new TemplateLimitError(expression, 'the arguments would become too long');
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function resolveText(text: string, scope: TemplateScope, allowance: Allowance): unknown {
  if (!text.includes('{{')) return text;
  const parts = parseTemplate(text);
  const [only] = parts;
  const values = parts.map((part) => {
    if (typeof part === 'string') return part;
    const value = scope(part);
    if (value === KEEP) return part.text;
    allowance.take(part.text, value);
    // A template that is alone in its string keeps the type of its value; within a text the value becomes text.
    return parts.length === 1 ? value : asText(value);
  });
  return parts.length === 1 && typeof only !== 'string' ? values[0] : values.join('');
}

function resolveValue(value: unknown, scope: TemplateScope, allowance: Allowance): unknown {
  if (typeof value === 'string') return resolveText(value, scope, allowance);
  if (Array.isArray(value)) return value.map((item) => resolveValue(item, scope, allowance));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, resolveValue(item, scope, allowance)]),
    );
  }
  return value;
}

/**
 * Replaces every template in the strings of a JSON value; keys are not changed. Pure, so workflows can use it.
 * @param maxLength maximum characters of JSON of all inserted values together, since a short text can name a long value
 *   many times
 * @throws TemplateReferenceError from the scope, and where the inserted values are longer than that
 */
export function resolveTemplates(value: unknown, scope: TemplateScope, maxLength = Infinity): unknown {
  return resolveValue(value, scope, new Allowance(maxLength));
}

/** Finds text in double braces that is not a valid expression, in the strings of a JSON value, in order. */
export function findStrayBraces(value: unknown): string[] {
  if (typeof value === 'string') {
    const literals = parseTemplate(value).filter((part) => typeof part === 'string');
    return literals.flatMap((text) => text.match(/\{\{[^{}]*\}\}/g) ?? []);
  }
  if (Array.isArray(value)) return value.flatMap(findStrayBraces);
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(findStrayBraces);
  return [];
}

/** Finds every expression in the strings of a JSON value, in order. */
export function findExpressions(value: unknown): TemplateExpression[] {
  if (typeof value === 'string') return parseTemplate(value).filter((part) => typeof part !== 'string');
  if (Array.isArray(value)) return value.flatMap(findExpressions);
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(findExpressions);
  return [];
}

/** Whether one of the strings of a JSON value has an expression. The search ends at the first one. */
export function hasExpressions(value: unknown): boolean {
  if (typeof value === 'string') return hasExpression(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasExpressions);
}

/**
 * Follows an expression's path from the value of its root, through own properties only.
 * @throws TemplateReferenceError naming the first step that is missing
 */
export function followPath(root: unknown, expression: TemplateExpression): unknown {
  let value = root;
  for (const step of expression.path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) {
      const kind = value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value;
      const has = describeNames(value, step);
      throw new TemplateReferenceError(
        expression.text,
        `there is no "${showReference(step)}" in ${kind}${has}`,
      );
    }
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}
