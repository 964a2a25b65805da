/**
 * Matches a sticky pattern at one place of a text. The place is set for each match, so that nothing is left of an earlier one.
 * @returns undefined if the text does not match there
 */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
