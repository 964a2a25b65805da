import { matchQuantity } from '../text/quantity';
import { isLight } from '../reading/light';
import { setOf, wordsTagged } from '../text/lexicon/words';
import { dateAt } from '../text/temporal';
import { lowerAt, textOf, type Token, type TokenText } from '../text/token';
import type { Phrases, Slot } from './terms';

/** A value and the token after it. */
export interface Value {
  readonly value: unknown;
  readonly to: number;
}

const POLITENESS = wordsTagged('politeness');
const YES = setOf('true yes on');
const NO = setOf('false no off');
const ENDS = setOf(', ; . ? ! and then & with for');
const TELLING = setOf('number ordinal url domain email file phone date time dotted');
const NO_VALUE = setOf('not no never without except only if unless or but');

/** A value for a parameter that starts at this token, by the parameter's type. @param isSigned after `:` or `=`, where a text may go on */
export function readValue(
  text: TokenText,
  at: number,
  slot: Slot,
  isSigned: boolean,
  choices: Phrases,
  isLabel: (at: number) => boolean,
): Value | undefined {
  const token = text.tokens[at];
  if (!token) return undefined;
  const { type } = slot.parameter;
  if (slot.choices.length > 0) {
    const allowed = choicesAt(text.tokens, at, choices).find((one) => one.slot === slot);
    // A text that is not allowed is named by the refusal.
    return allowed ?? (isSigned && token.kind === 'word' ? { value: token.text, to: at + 1 } : undefined);
  }
  if (type === 'boolean') {
    const isYes = YES.has(token.lower);
    return isYes || NO.has(token.lower) ? { value: isYes, to: at + 1 } : undefined;
  }
  if (type === 'number' || type === 'integer') return numberAt(text.tokens, at);
  if (token.kind === 'json') return { value: type === 'string' ? token.text : token.value, to: at + 1 };
  if (token.kind === 'quoted') return { value: token.value, to: at + 1 };
  if (type === 'object' || type === 'array') return undefined;
  return textAt(text, at, slot, isSigned, isLabel);
}

/** The longest of the allowed texts whose exact words start here, and the parameters that allow it. */
export function choicesAt(
  tokens: readonly Token[],
  at: number,
  choices: Phrases,
): readonly (Value & { readonly slot: Slot })[] {
  const token = tokens[at];
  if (!token || token.kind === 'symbol') return [];
  const quoted = token.kind === 'quoted' ? String(token.value).toLowerCase().split(' ') : undefined;
  const phrases = choices.get(quoted?.[0] ?? token.lower) ?? [];
  const values = phrases.flatMap(({ slot, words, value }) => {
    const isHere = quoted
      ? quoted.join(' ') === words.join(' ')
      : words.every((word, offset) => lowerAt(tokens, at + offset) === word);
    return isHere ? [{ slot, value, to: quoted ? at + 1 : at + words.length }] : [];
  });
  const last = Math.max(...values.map(({ to }) => to));
  return values.filter(({ to }) => to === last);
}

/** A number with its sign; a percentage is not read as a number. */
export function numberAt(tokens: readonly Token[], at: number): Value | undefined {
  const sign = tokens[at]?.text === '-' || tokens[at]?.text === '−' ? 1 : 0;
  const quantity = matchQuantity(tokens, at + sign);
  if (!quantity || quantity.percent) return undefined;
  return { value: sign === 1 ? -quantity.value : quantity.value, to: quantity.next };
}

function textAt(
  text: TokenText,
  at: number,
  slot: Slot,
  isSigned: boolean,
  isLabel: (at: number) => boolean,
): Value | undefined {
  const { tokens } = text;
  const date = /\bdate|\bday\b/.test(slot.about) ? dateAt(text, at) : undefined;
  if (date) return date;
  const isEnd = (to: number): boolean => to >= tokens.length || ENDS.has(lowerAt(tokens, to)) || isLabel(to);
  if (isEnd(at) || NO_VALUE.has(lowerAt(tokens, at))) return undefined;
  if (isSigned) {
    let to = at + 1;
    while (!isEnd(to)) to++;
    // `name: web-03 please`
    while (to > at + 1 && POLITENESS.has(lowerAt(tokens, to - 1))) to--;
    // `body: Hello and see you`: that the rest is a part of the text cannot be excluded.
    return isFollowed(tokens, to, isLabel) ? undefined : { value: textOf(text, at, to), to };
  }
  const token = tokens[at];
  if (token && isTelling(token)) return { value: token.text, to: at + 1 };
  let to = at;
  while (tokens[to]?.kind === 'word' && /^\p{Lu}/u.test(tokens[to]?.text ?? '') && !isLabel(to)) to++;
  if (to === at && token?.kind === 'word' && !isLight(token)) to++;
  return to > at && isEnd(to) ? { value: textOf(text, at, to), to } : undefined;
}

/** Whether only words that nothing reads follow a text up to the next label or the end. */
function isFollowed(tokens: readonly Token[], from: number, isLabel: (at: number) => boolean): boolean {
  let to = from;
  while (to < tokens.length && !isLabel(to)) to++;
  const rest = tokens.slice(from, to).filter(({ kind, lower }) => kind === 'word' && !POLITENESS.has(lower));
  return rest.length > 1 && /^(?:and|&|with|for)$/.test(lowerAt(tokens, from)) && rest.every(isLight);
}

/** True for what can hardly be anything but a value. */
function isTelling({ kind, text }: Token): boolean {
  return TELLING.has(kind) || (kind === 'word' && isIdLike(text));
}

/** True for a word such as `ORD-1234` or `B-XY-123`, which is hardly anything but an id. */
export function isIdLike(text: string): boolean {
  return /\d/.test(text) && (/^[A-Z]+[-_]?\d[\w-]*$/i.test(text) || (text.includes('-') && text.length >= 8));
}
