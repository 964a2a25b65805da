import { refuseUnfitTexts } from './callers';
import { parseJson } from './parse';

/** Matches what of JSON text decides which names and numbers it has; the rest stands between. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[{}[\],]/g;
const SHOWN_LENGTH = 64;

/**
 * Parses JSON text that a person wrote, and refuses what would be read as something else than what stands there: a name that
 * an object has twice, the name `__proto__`, a lone surrogate, and a number that loses digits, such as `1e400` or `12345678901234567890`.
 * @throws SyntaxError for such a text, and as `parseJson` does
 */
export function parseExactJson(text: string): unknown {
  const value = parseJson(text);
  // The text is valid, so its tokens need no further check of their order.
  const levels: (Set<string> | undefined)[] = [];
  let before = '';
  for (const [token] of text.matchAll(TOKEN)) {
    const names = levels.at(-1);
    if (token === '{') levels.push(new Set());
    else if (token === '[') levels.push(undefined);
    else if (token === '}' || token === ']') levels.pop();
    else if (token.startsWith('"')) {
      if (names !== undefined && (before === '{' || before === ',')) addName(names, token);
    } else if (token !== ',') checkNumber(token);
    before = token;
  }
  refuseUnfitTexts(text, value);
  return value;
}

function addName(names: Set<string>, token: string): void {
  const name = JSON.parse(token) as string;
  if (names.has(name)) throw new SyntaxError(`the name ${show(token)} stands twice in one object`);
  if (name === '__proto__') throw new SyntaxError('the name "__proto__" is not accepted');
  names.add(name);
}

function checkNumber(token: string): void {
  const value = Number(token);
  if (Number.isFinite(value) && digitsOf(token) === digitsOf(String(value))) return;
  const instead = Number.isFinite(value) ? `${value}, or the text ${show(`"${token}"`)}` : 'a smaller one';
  throw new SyntaxError(`the number ${show(token)} cannot be kept with all its digits; write ${instead}`);
}

/** Writes a decimal number in one form: sign, digits without zeros at the ends, and the power of ten of the last one. */
function digitsOf(decimal: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(decimal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

function show(text: string): string {
  return text.length <= SHOWN_LENGTH ? text : `${text.slice(0, SHOWN_LENGTH)}…`;
}
