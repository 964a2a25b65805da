import type { TemplateExpression } from './expression';
import { parseTemplate } from './expression';

/** Says what an expression stands for; `KEEP` leaves its text as it is. */
export type TemplateScope = (expression: TemplateExpression) => unknown;

/** Returned by a scope for a reference that is none of its own. */
export const KEEP = Symbol('keep');

/** Thrown for a reference that leads nowhere. Plain, so that it can be thrown inside a workflow. */
export class TemplateReferenceError extends Error {
  override readonly name = 'TemplateReferenceError';
  constructor(
    readonly expression: string,
    reason: string,
  ) {
    super(`${expression} cannot be resolved: ${reason}`);
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function resolveText(text: string, scope: TemplateScope): unknown {
  if (!text.includes('{{')) return text;
  const parts = parseTemplate(text);
  const values = parts.map((part) => {
    if (typeof part === 'string') return part;
    const value = scope(part);
    return value === KEEP ? part.text : value;
  });
  // Alone in its string a template keeps the type of what it stands for; within a text it is text.
  return values.length === 1 && typeof parts[0] !== 'string' ? values[0] : values.map(asText).join('');
}

/**
 * Replaces every template in the strings of a JSON value; keys are left alone. Pure: usable in a workflow.
 * @throws TemplateReferenceError from the scope
 */
export function resolveTemplates(value: unknown, scope: TemplateScope): unknown {
  if (typeof value === 'string') return resolveText(value, scope);
  if (Array.isArray(value)) return value.map((item) => resolveTemplates(item, scope));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, resolveTemplates(item, scope)]),
    );
  }
  return value;
}

/** Every expression in the strings of a JSON value, in order. */
export function findExpressions(value: unknown): TemplateExpression[] {
  if (typeof value === 'string') return parseTemplate(value).filter((part) => typeof part !== 'string');
  if (Array.isArray(value)) return value.flatMap(findExpressions);
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(findExpressions);
  return [];
}

/**
 * Follows an expression's path down from the value of its root; own properties only.
 * @throws TemplateReferenceError naming the first step that is missing
 */
export function followPath(root: unknown, expression: TemplateExpression): unknown {
  let value = root;
  for (const step of expression.path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) {
      const kind = value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value;
      throw new TemplateReferenceError(expression.text, `there is no "${step}" in ${kind}`);
    }
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}
