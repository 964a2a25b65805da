/** What the character after a backslash stands for, besides itself. */
const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** An escape as JSON has it. A single quote and the `u` of an incomplete code may have a backslash, too. */
const ESCAPE = /\\(?:u([\da-fA-F]{4})|(.))/gsu;

/** One escape of JSON, or that of a single quote, as the source of a regular expression. */
export const ESCAPE_SOURCE = String.raw`\\(?:["'\\/bfnrt]|u[\da-fA-F]{4})`;

/** Replaces the escapes of a text by what they stand for. Any other character with a backslash stands for itself. Pure. */
export function unescapeText(text: string): string {
  return text.replace(ESCAPE, (_, code: string | undefined, character: string | undefined) =>
    code === undefined
      ? (ESCAPES[character ?? ''] ?? character ?? '')
      : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/**
 * Matches a sticky pattern at one place of a text. The place is set for each match, so that nothing is left of an earlier one.
 * @returns undefined if the text does not match there
 */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
