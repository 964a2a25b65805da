/** A reference inside double braces, as in `{{previous_result.items[0].id}}`. */
export interface TemplateExpression {
  /** The text as it is written, including its braces. */
  readonly text: string;
  /** The first name, whose value the scope provides. */
  readonly root: string;
  /** Property names and array indexes below the root. */
  readonly path: readonly (string | number)[];
}

/** A part of a template text: literal text or an expression. */
export type TemplatePart = string | TemplateExpression;

const EXPRESSION = /\{\{\s*([A-Za-z_][\w-]*)((?:\.[\w-]+|\[\d+\]|\["[^"\]]*"\])*)\s*\}\}/g;
const STEP = /\.([\w-]+)|\[(\d+)\]|\["([^"\]]*)"\]/g;

function parsePath(text: string): (string | number)[] {
  return [...text.matchAll(STEP)].map(([, name, index, quoted]) =>
    index === undefined ? (name ?? quoted ?? '') : Number(index),
  );
}

/**
 * Splits a text into its parts, in order. Double braces without a valid reference (`{{ 1 + 1 }}`, `{{}}`) stay literal
 * text. Pure; takes time proportional to the length of the text.
 */
export function parseTemplate(text: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const match of text.matchAll(EXPRESSION)) {
    if (match.index > end) parts.push(text.slice(end, match.index));
    parts.push({ text: match[0], root: match[1] ?? '', path: parsePath(match[2] ?? '') });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/** Whether a text has an expression. The search ends at the first one. Pure. */
export function hasExpression(text: string): boolean {
  return text.search(EXPRESSION) !== -1;
}
