import type { TemplateExpression, TemplatePart, TemplateReference } from './expression-parts';
import { ExpressionReader } from './expression-reader';

export type {
  TemplateExpression,
  TemplateOperation,
  TemplatePart,
  TemplateReference,
} from './expression-parts';

/**
 * Splits a text into its parts, in order. Double braces without a valid expression (`{{ 1 + 1 }}`, `{{}}`) stay literal
 * text. Pure; takes time proportional to the length of the text.
 */
export function parseTemplate(text: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const expression of expressionsIn(text)) {
    if (expression.start > end) parts.push(text.slice(end, expression.start));
    parts.push(expression.read);
    end = expression.start + expression.read.text.length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/** Whether a text has an expression. The search ends at the first one. Pure. */
export function hasExpression(text: string): boolean {
  return expressionsIn(text).next().done !== true;
}

/** The references of an expression, in order. Pure. */
export function referencesOf({ then = [], ...first }: TemplateExpression): TemplateReference[] {
  const lastDefault = then.findLastIndex(({ kind }) => kind === 'default');
  const others = then.flatMap((operation, index): TemplateReference[] => {
    if (!('reference' in operation)) return [];
    return [index < lastDefault ? { ...operation.reference, isOptional: true } : operation.reference];
  });
  return [lastDefault < 0 ? first : { ...first, isOptional: true }, ...others];
}

function* expressionsIn(text: string): Generator<{ start: number; read: TemplateExpression }> {
  let start = text.indexOf('{{');
  while (start !== -1) {
    const read = new ExpressionReader(text, start).read();
    if (read !== undefined) yield { start, read };
    start = text.indexOf('{{', start + (read?.text.length ?? 1));
  }
}
