import { spend } from '../allowance';
import type { ToolParameter } from '../types';
import { textOf, type TokenText } from '../text/token';

const EXAMPLES = /\b(?:such as|for example|e\.g\.|like)\s+["'`]?([#@\p{L}\p{N}][^,;:"'`()]{0,40})/giu;
/** Shapes that tell nothing: plain words and plain numbers. */
const PLAIN = /^(?:A?a|A|9|9\.9)(?: (?:A?a|A|9))*$/;
/** How a date or a time is written is no shape of a code. */
const PATTERN =
  /^(?:Y+|H+|D+|M+)[-:/]|^\d{1,2}:\d{2}$|^\d{1,2}\s?[ap]m$|^\d{4}-\d{2}-\d{2}$|^\d{1,2} \p{Lu}\p{Ll}/u;
/** Tokens that one code is at most made of: `AB1 2CD` has three. */
const MAX_PARTS = 4;
/** Work of comparing a stretch with an example, and of each of its characters. */
const EXAMPLE_COST = 2;
const CHARACTER_COST = 0.03;

/** The examples of a description that have a form of their own, `such as AB-1234`. */
export function examplesIn({ description }: ToolParameter): readonly string[] {
  return Array.from(description.matchAll(EXAMPLES), ([, written = '']) => written.split(' or '))
    .flat()
    .map(trimExample)
    .filter((example) => example !== '' && !PATTERN.test(example) && !PLAIN.test(shapeOf(example)));
}

/** Of `TG123456 or so` the words up to the last one with a digit, of a text without digits the first. */
function trimExample(text: string): string {
  const words = text.trim().replace(/\.$/, '').split(/\s+/);
  const last = words.findLastIndex((word) => /\d/.test(word));
  return words.slice(0, Math.max(1, last + 1)).join(' ');
}

/** `AB-1234` is `A-9`: what kinds of characters follow each other. */
export function shapeOf(text: string): string {
  return text
    .replace(/\p{Lu}+/gu, 'A')
    .replace(/\p{Ll}+/gu, 'a')
    .replace(/\p{N}+/gu, '9');
}

export interface ShapeMatch {
  readonly to: number;
  /** 0 to about 2.5. */
  readonly likeness: number;
}

/** The longest run of tokens from here on that looks like one of the examples. */
export function matchShape(text: TokenText, at: number, examples: readonly string[]): ShapeMatch | undefined {
  const { tokens } = text;
  const first = tokens[at];
  const before = tokens[at - 1];
  if (
    !first ||
    (!/^[#@]$/.test(first.text) &&
      first.kind !== 'word' &&
      first.kind !== 'number' &&
      first.kind !== 'dotted')
  )
    return undefined;
  if (before?.end === first.start && /^[\p{L}\p{N}-]/u.test(before.text)) return undefined;
  for (let length = Math.min(MAX_PARTS, tokens.length - at); length > 0; length--) {
    const to = at + length;
    const next = tokens[to];
    if (next?.start === tokens[to - 1]?.end && /^[\p{L}\p{N}]/u.test(next?.text ?? '')) continue;
    const written = textOf(text, at, to);
    spend(examples.length * (EXAMPLE_COST + CHARACTER_COST * written.length));
    const likeness = Math.max(0, ...examples.map((example) => likenessOf(written, example)));
    if (likeness > 0) return { to, likeness };
  }
  return undefined;
}

function likenessOf(written: string, example: string): number {
  const [shape, wanted] = [shapeOf(written).replace(/^[av](?=9\.)/i, ''), shapeOf(example)];
  const isSame = grouped(shape) === grouped(wanted);
  // Codes are typed in small letters as well, but without a digit that would be any word.
  const isLower = shape.includes('9') && shape.toLowerCase() === wanted.toLowerCase();
  if (!isSame && !isLower) return 0;
  const prefix = /^\p{L}+/u.exec(example)?.[0].toLowerCase() ?? '';
  const starts = prefix !== '' && wanted.includes('9') && written.toLowerCase().startsWith(prefix);
  return (isSame ? 1.8 : 1.4) + (written.length === example.length ? 0.3 : 0) + (starts ? 0.3 : 0);
}

/** `B-XY-123` and `B-X-Y-123` are alike, and so are `2.4.1` and `2.4`. */
function grouped(shape: string): string {
  return shape.replace(/([A-Za-z])(?:-\1)+/g, '$1-$1').replace(/9(?:\.9)+/g, '9.9');
}
