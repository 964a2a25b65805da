import type { Prompt } from './prompt';

const EXACTLY =
  /^(?:please\s+)?(?:reply|respond|answer|say|write|output|return|print)(?:\s+(?:only|just))?(?:\s+with)?(?:\s+(?:exactly|only|just|the following|the word|the words|the text|verbatim))+\s*:?\s*/i;
const REPEAT =
  /^(?:please\s+)?(?:repeat|echo|say)(?:\s+(?:after me|this|the following|back|exactly|the text|the word|the words))*\s*[:,]?\s*/i;
const FILL = /\b(?:fill in|complete|render|fill out)\b.*\b(?:template|blanks?|placeholders?)\b/i;
const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}|\{(\w+)\}/g;

/** `reply with exactly: X`, `repeat: X`, and templates filled with the values given. */
export function answerRepetition({ whole, instruction, subject }: Prompt): string | undefined {
  if (FILL.test(instruction)) return fill(subject);
  const prefix =
    EXACTLY.exec(whole)?.[0] ??
    (/^(?:please\s+)?(?:repeat|echo)\b/i.test(whole) ? REPEAT.exec(whole)?.[0] : undefined);
  if (prefix === undefined) return undefined;
  const rest = whole.slice(prefix.length).trim();
  return rest === '' ? undefined : rest.replace(/^"([^"]*)"[.]?$/, '$1');
}

/** The template is the line with placeholders; the other lines, or what follows `with`, give `name: value`. */
function fill(subject: string): string | undefined {
  const lines = subject.split('\n');
  const values = new Map<string, string>();
  for (const line of lines) {
    for (const part of line.split(/[,;]\s*/)) {
      const pair = /^\s*(?:with\s+)?(\w+)\s*[:=]\s*([^\n]+)$/i.exec(part);
      if (pair?.[1] !== undefined && pair[2] !== undefined) values.set(pair[1].toLowerCase(), pair[2].trim());
    }
  }
  const template = lines.filter((line) => line.search(PLACEHOLDER) !== -1).join('\n');
  let complete = template !== '';
  const filled = template.replace(PLACEHOLDER, (written, double?: string, single?: string) => {
    const value = values.get((double ?? single ?? '').toLowerCase());
    if (value === undefined) complete = false;
    return value ?? written;
  });
  return complete ? filled.trim() : undefined;
}
