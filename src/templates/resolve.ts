import { jsonLength } from '../contracts/json-length';
import { describeNames } from './known-names';
import { evaluateExpression, KEEP, type TemplateScope } from './evaluate-expression';
import { hasExpression, parseTemplate, referencesOf, type TemplateReference } from './expression';
import { showReference, TemplateLimitError, TemplateReferenceError } from './reference-errors';

export { KEEP, type TemplateScope } from './evaluate-expression';
export {
  showReference,
  TemplateFunctionError,
  TemplateLimitError,
  TemplateReferenceError,
} from './reference-errors';

/** Counts the length that resolving may still add, and what it added, also until an error ended it. */
export class Allowance {
  readonly #maxLength: number;
  #left: number;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
    this.#left = maxLength;
  }

  /** Characters of JSON. */
  get taken(): number {
    return this.#maxLength - this.#left;
  }

  /**
   * Subtracts the length of a value as text, without building the text.
   * @throws TemplateLimitError if the value does not fit any more
   */
  take(expression: string, value: unknown): void {
    const length = typeof value === 'string' ? value.length : jsonLength(value, Math.max(0, this.#left));
    this.takeLength(expression, length);
  }

  /** Subtracts a length. What functions read counts as what they give does. @throws as `take` does */
  readonly takeLength = (expression: string, length: number): void => {
    this.#left -= length;
    if (this.#left < 0) throw new TemplateLimitError(expression, 'the arguments would become too long');
  };
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Resolves templates within a limit. */
class Resolver {
  readonly #scope: TemplateScope;
  readonly #allowance: Allowance;

  constructor(scope: TemplateScope, allowance: Allowance) {
    this.#scope = scope;
    this.#allowance = allowance;
  }

  resolve(value: unknown): unknown {
    if (typeof value === 'string') return this.#resolveText(value);
    if (Array.isArray(value)) return value.map((item) => this.resolve(item));
    return typeof value === 'object' && value !== null ? this.#resolveObject(value) : value;
  }

  #resolveText(text: string, isName = false): unknown {
    if (!text.includes('{{')) return text;
    const parts = parseTemplate(text);
    const [only] = parts;
    const values = parts.map((part) => {
      if (typeof part === 'string') return part;
      const value = evaluateExpression(part, this.#scope, this.#allowance.takeLength, isName);
      if (value === KEEP) return part.text;
      this.#allowance.take(part.text, value);
      // A template that is alone in its string keeps the type of its value; within a text the value becomes text.
      return parts.length === 1 ? value : asText(value);
    });
    return parts.length === 1 && typeof only !== 'string' ? values[0] : values.join('');
  }

  #resolveObject(object: object): object {
    const resolved = new Map<string, unknown>();
    for (const [written, item] of Object.entries(object)) {
      const name = nameFrom(written, this.#resolveText(written, true));
      if (resolved.has(name))
        throw new TemplateReferenceError(
          written,
          `there would be two properties with the name "${showReference(name)}"`,
        );
      resolved.set(name, this.resolve(item));
    }
    return Object.fromEntries(resolved);
  }
}

/** @throws TemplateReferenceError if a template in a name gave a value that is no name */
function nameFrom(written: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const kind = value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value;
  throw new TemplateReferenceError(written, `the name of a property has to be a text, it is ${kind}`);
}

/**
 * Replaces every template in the strings of a JSON value and in the names of its properties. Pure, so workflows can use it.
 * @param maxLength maximum characters of JSON of all inserted values and of what functions read together, since a short
 *   text can name a long value many times
 * @throws TemplateReferenceError from the scope; also if two properties would have one name, or if the inserted values
 *   are longer than that
 */
export function resolveTemplates(
  value: unknown,
  scope: TemplateScope,
  maxLength: number | Allowance = Infinity,
): unknown {
  const allowance = typeof maxLength === 'number' ? new Allowance(maxLength) : maxLength;
  return new Resolver(scope, allowance).resolve(value);
}

/** Every text of a JSON value in which templates may stand, in order: strings and names of properties. */
function* textsIn(value: unknown, hasNames = true): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item, hasNames);
  else if (typeof value === 'object' && value !== null)
    for (const [name, item] of Object.entries(value)) {
      if (hasNames) yield name;
      yield* textsIn(item, hasNames);
    }
}

/** Double braces, also those around quoted texts that have braces. */
const BRACES = /\{\{(?:[^{}"']|"[^"]{0,1000}"|'[^']{0,1000}'){0,1000}\}\}|\{\{[^{}]*\}\}/g;

/**
 * Finds text in double braces that is not a valid expression, in the texts of a JSON value, in order.
 * @param hasNames false if names of properties are left out
 */
export function findStrayBraces(value: unknown, hasNames = true): string[] {
  return Array.from(textsIn(value, hasNames), (text) =>
    parseTemplate(text).flatMap((part) => (typeof part === 'string' ? (part.match(BRACES) ?? []) : [])),
  ).flat();
}

/** Finds every reference in the texts of a JSON value, in order, those of defaults among them. */
export function findReferencesIn(value: unknown): TemplateReference[] {
  return Array.from(textsIn(value), (text) =>
    parseTemplate(text).flatMap((part) => (typeof part === 'string' ? [] : referencesOf(part))),
  ).flat();
}

/** Whether one of the texts of a JSON value has an expression. The search ends at the first one. */
export function hasExpressions(value: unknown): boolean {
  if (typeof value === 'string') return hasExpression(value);
  if (Array.isArray(value)) return value.some(hasExpressions);
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).some(([name, item]) => hasExpression(name) || hasExpressions(item))
  );
}

/**
 * Follows a reference's path from the value of its root, through own properties only.
 * @throws TemplateReferenceError naming the first step that is missing
 */
export function followPath(root: unknown, reference: TemplateReference): unknown {
  const { earlierNames = {}, path, text } = reference;
  let value = root;
  for (const written of path) {
    const earlier = Object.hasOwn(earlierNames, written) ? earlierNames[written] : undefined;
    const step = earlier !== undefined && isPart(value, earlier) ? earlier : written;
    if (!isPart(value, step)) {
      const kind = value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value;
      const has = describeNames(value, step);
      throw new TemplateReferenceError(text, `there is no "${showReference(step)}" in ${kind}${has}`);
    }
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

function isPart(value: unknown, name: string | number): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name);
}
