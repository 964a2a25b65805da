import type { ToolParameter } from '../types';
import { ARTICLES } from '../text/stop-words';
import type { Token } from '../text/token';
import { prepositionFit } from './roles';
import { isText, type Slot, type SlotState } from './slot-state';

const EXAMPLES =
  /\b(?:such as|for example|e\.g\.|like)\s+["'`]?([\p{L}\p{N}][\p{L}\p{N}._/-]*[\p{L}\p{N}])/giu;
/** Shapes that tell nothing: plain words and plain numbers. */
const PLAIN = /^(?:A?a|A|9|9\.9)$/;
/** How a date is to be written is no example of one. */
const PATTERN = /^(?:Y+|H+|D+|M+)[-:/]/;

/** Longest text in which values are looked for by their form, tokens. */
const MAX_TOKENS = 400;

/** Fills parameters whose description gives an example, `such as AB-1234`, by what looks like it. */
export function fillByExample(state: SlotState): void {
  const slots = state.open((slot) => isText(slot) && shapesIn(slot).length > 0);
  if (state.tokens.length > MAX_TOKENS) return;
  const pairs = slots.flatMap((slot) =>
    state.tokens.flatMap((token, at) => {
      const likeness = state.isFree(at) ? likenessTo(shapesIn(slot), token) : 0;
      return likeness > 0 ? [{ slot, at, fit: likeness + contextFit(state, slot, at) }] : [];
    }),
  );
  pairs.sort((a, b) => b.fit - a.fit || a.at - b.at);
  for (const { slot, at, fit } of pairs) {
    if (Object.hasOwn(state.args, slot.name) || !state.isFree(at)) continue;
    // Where several parameters look alike, only the words before a value tell which it is for.
    const rivals = pairs.filter((other) => other.at === at && other.slot !== slot && other.fit === fit);
    if (rivals.some((other) => !Object.hasOwn(state.args, other.slot.name))) continue;
    state.fill(slot, state.valueText(at, at + 1), at, at + 1);
  }
}

const cache = new WeakMap<ToolParameter, readonly string[]>();

function shapesIn({ parameter }: Slot): readonly string[] {
  const known = cache.get(parameter);
  if (known) return known;
  const shapes = Array.from(parameter.description.matchAll(EXAMPLES), ([, example = '']) => example)
    .filter((example) => !PATTERN.test(example))
    .map(shapeOf)
    .filter((shape) => !PLAIN.test(shape));
  cache.set(parameter, shapes);
  return shapes;
}

/** True for a parameter whose values all have digits: no plain word is one of them. */
export function hasCodeShape(slot: Slot): boolean {
  const shapes = shapesIn(slot);
  return shapes.length > 0 && shapes.every((shape) => shape.includes('9'));
}

/** True for a text of one of the forms that a parameter's examples have. */
export function looksLikeExample(slot: Slot, token: Token): boolean {
  return likenessTo(shapesIn(slot), token) > 0;
}

/** `AB-1234` is `A-9`: what kinds of characters follow each other. */
function shapeOf(text: string): string {
  return text
    .replace(/\p{Lu}+/gu, 'A')
    .replace(/\p{Ll}+/gu, 'a')
    .replace(/\p{N}+/gu, '9');
}

function likenessTo(shapes: readonly string[], { kind, text, value }: Token): number {
  if (kind !== 'word' && kind !== 'quoted' && kind !== 'dotted') return 0;
  const shape = shapeOf(kind === 'quoted' ? String(value) : text).replace(/^[av](?=9\.)/i, '');
  if (shapes.includes(shape)) return 2;
  const grouped = repeatedAsOne(shape);
  if (shapes.some((wanted) => repeatedAsOne(wanted) === grouped)) return 1.8;
  // Codes are typed in small letters as well, but without a digit that would be any word.
  const isCode = shape.includes('9') && shapes.some((wanted) => wanted.toLowerCase() === shape.toLowerCase());
  return isCode ? 1.5 : 0;
}

/** `B-XY-123` and `B-X-Y-123` are alike. */
function repeatedAsOne(shape: string): string {
  return shape.replace(/([A-Za-z])(?:-\1)+/g, '$1-$1').replace(/9(?:\.9)+/g, '9.9');
}

/** What the words before a value say: a label, or a preposition that leads to the parameter. */
function contextFit(state: SlotState, slot: Slot, at: number): number {
  const own = new Set([slot.name.toLowerCase(), ...slot.parameter.description.toLowerCase().split(/\W+/)]);
  let back = at - 1;
  let label = 0;
  while (back >= 0) {
    const lower = state.tokens[back]?.lower ?? '';
    if (slot.name.toLowerCase() === lower) label = 0.5;
    if (
      prepositionFit(slot.roles, lower) > 0 ||
      !(ARTICLES.has(lower) || (own.has(lower) && lower.length > 2))
    )
      break;
    back--;
  }
  const word = state.tokens[back]?.lower ?? '';
  const preposition = word === 'of' && state.tokens[back - 1]?.lower === 'out' ? 'from' : word;
  const named = preposition === slot.name.toLowerCase() ? 0.5 : 0;
  const isDirection = slot.roles.has('origin') || slot.roles.has('destination');
  const fit = prepositionFit(slot.roles, preposition === 'into' ? 'to' : preposition);
  return label + named + fit - (isDirection && fit === 0 ? 1.5 : 0);
}
