import { cutText } from '../../src/base/text/well-formed';

/** Characters of arguments that a form shows. */
const MAX_SHOWN = 2_000;
/** Characters of one argument, where all are too long. */
const MAX_OF_ONE = 200;

/**
 * Writes the arguments of a call for a person who decides about it. Where they are too long, each value is shortened by itself, so
 * that a long one does not hide the others, and the text says how much is not shown. Pure.
 */
export function showArguments(args: unknown): string {
  const whole = JSON.stringify(args, null, 2);
  if (whole.length <= MAX_SHOWN || typeof args !== 'object' || args === null) return cut(whole, MAX_SHOWN);
  const lines = Object.entries(args).map(
    ([name, value]) => `${cut(JSON.stringify(name), MAX_OF_ONE)}: ${cut(JSON.stringify(value), MAX_OF_ONE)}`,
  );
  const shown: string[] = [];
  let left = MAX_SHOWN;
  for (const line of lines) {
    left -= line.length;
    if (left < 0) break;
    shown.push(line);
  }
  const hidden = lines.length - shown.length;
  return [...shown, ...(hidden === 0 ? [] : [`(${hidden} more arguments are not shown)`])].join('\n');
}

function cut(text: string, max: number): string {
  return text.length <= max
    ? text
    : `${cutText(text, max)} (${text.length - max} more characters are not shown)`;
}
