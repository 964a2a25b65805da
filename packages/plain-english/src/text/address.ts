import { setOf } from './lexicon/words';
import type { TokenKind } from './token';

/** A token at the start of a run of characters. */
interface Run {
  readonly kind: TokenKind;
  readonly length: number;
  readonly value?: string | undefined;
}

/** `1Z88K204`: digits, letters and digits again are the name of something, and no number with a unit. */
const CODE_RUN = /^\d{1,8}[A-Z]{1,6}\d[A-Z\d-]{2,24}$/;
const EMAIL = /^[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u;
const URL_START = /^https?:\/\/[^\s/]/i;
const HOST = /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|(?:[a-z0-9-]+\.)+([a-z]{2,}))(:\d{1,5})?([/?#].*)?$/i;
/** Two points at least, as one makes a decimal number. */
const VERSION = /^(?:v\d+(?:\.\d+){1,3}|\d+\.\d+\.\d{1,3})(?:-[a-z][a-z0-9.]{0,12})?$/i;
const WINDOWS_PATH = /^[A-Za-z]:[\\/]/;
const PATH_CHARACTERS = /^[\p{L}\p{N}\p{M}_.~@+,()\\/-]+$/u;
const DOTTED = /^\.?[\p{L}_][\p{L}\p{N}_-]*(?:(?:\.[\p{L}_][\p{L}\p{N}_-]*)|(?:\[(?:-?\d+|\*)\]))+$/u;
const EXTENSION = /[^/\\]\.([A-Za-z0-9]{1,8})$/;
const FILE_EXTENSIONS = setOf(
  'txt md markdown csv tsv json jsonl ndjson xml yaml yml toml ini conf cfg env log html htm css js mjs cjs ts tsx jsx py rb go rs java c h cpp sh bat sql pdf png jpg jpeg gif webp svg ico bmp zip gz tar tgz doc docx xls xlsx ppt pptx rtf bin dat bak lock tmp mp3 mp4 wav parquet db sqlite properties',
);
const TOP_LEVEL = setOf(
  'com org net io dev app co gov edu ai eu us uk de fr es it nl be ch at se no dk fi pl pt ie ca au nz in jp cn br mx ru info biz me tv cloud tech online site xyz local test example internal localhost int mil page shop blog store news',
);
const TRAILING = new Set(Array.from('.,;:!?)]}\'"’…>'));
const BRACKETS = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);
/** More closing marks than this are not taken off, so that a run of brackets is not counted over and over. */
const MAX_TRAILING = 17;
/** In groups, or with a country code; two groups alone are as well a subtraction. */
const PHONE = /^(?:\+\d[\d-]{6,18}|\(?\d{3}\)?[-.]\d{3}[-.]\d{4})$/;
/** No number to calculate with is written with a zero before its other digits. */
const PHONE_WITH_ZERO = /^(?:0\d{1,5}[-/]\d{3,10}|\d{3}-0\d{3}|0\d{8,13})$/;

/**
 * What a run of characters without space is as a whole: an address of the web or of a mailbox, a file's path, a dotted
 * path such as `user.name`. The length is without punctuation that belongs to the sentence.
 */
export function classifyRun(run: string): Run | undefined {
  const text = withoutTrailing(run);
  if (text.length < 3) return undefined;
  if (PHONE.test(text) || PHONE_WITH_ZERO.test(text)) return { kind: 'phone', length: text.length };
  if (URL_START.test(text)) return { kind: 'url', length: text.length, value: text };
  if (CODE_RUN.test(text)) return { kind: 'word', length: text.length };
  if (!/[./\\@[]/.test(text) && !text.startsWith('localhost')) return undefined;
  if (VERSION.test(text)) return { kind: 'word', length: text.length };
  const possessive = /['’]s$/.test(text) ? text.slice(0, -2) : text;
  const kind = kindOf(possessive);
  const value = kind === 'domain' ? `https://${possessive}` : undefined;
  return kind && { kind, length: possessive.length, value };
}

function kindOf(text: string): TokenKind | undefined {
  if (text.includes('@') && EMAIL.test(text)) return 'email';
  if (isHost(text)) return 'domain';
  if (isFile(text)) return 'file';
  return DOTTED.test(text) ? 'dotted' : undefined;
}

/** Four numbers with points are an address, and so is a lone localhost. */
function isHost(text: string): boolean {
  const match = HOST.exec(text);
  if (!match) return false;
  const [, topLevel, port, rest] = match;
  const isKnown = topLevel === undefined || TOP_LEVEL.has(topLevel.toLowerCase());
  return isKnown || (port !== undefined && rest !== undefined);
}

function isFile(text: string): boolean {
  if (WINDOWS_PATH.test(text)) return true;
  if (!PATH_CHARACTERS.test(text)) return false;
  const extension = EXTENSION.exec(text)?.[1]?.toLowerCase();
  if (extension !== undefined && FILE_EXTENSIONS.has(extension) && !/^\d/.test(extension)) return true;
  if (/^(?:\.{1,2}|~)?\/[^/\s]/.test(text)) return /\p{L}/u.test(text);
  // `reports/may` may be a path; `km/h` and `and/or` are too short to be distinguished from one and are not.
  const parts = text.split(/[/\\]/);
  const hasLetters = (part: string): boolean => /\p{L}/u.test(part);
  if (extension !== undefined) return parts.length > 1 && hasLetters(extension);
  return parts.length >= 3 && parts.every(hasLetters);
}

/** Closing brackets stay if they close one of the run. */
function withoutTrailing(run: string): string {
  let end = run.length;
  while (end > 0 && run.length - end < MAX_TRAILING && TRAILING.has(run.charAt(end - 1))) {
    const closing = run.charAt(end - 1);
    const opening = BRACKETS.get(closing);
    const text = run.slice(0, end);
    if (opening !== undefined && text.split(opening).length >= text.split(closing).length) break;
    end--;
  }
  return run.slice(0, end);
}

/** Numbers that are codes: in groups, or after a word that says so, as `10-4432` alone is a subtraction. */
const CODES: readonly { readonly kind: TokenKind; readonly digits: RegExp; readonly after?: RegExp }[] = [
  {
    kind: 'phone',
    digits: /\+\d{1,3}(?: \(?\d{2,8}\)?){2,4}(?![\d.,]*\d)|0\d{2,4} \d{3,8}(?: \d{3,4}){0,2}(?![\d.,]*\d)/y,
  },
  {
    kind: 'phone',
    digits: /\d{3,5}-\d{4,8}(?=[.,;:!?]*(?:[\s"<>“”«»`]|$))/y,
    after:
      /(?:^|\s)(?:to|at|on|number|phone|call|text|sms|dial|ring|tel|tel\.|telephone|mobile|cell|message|msg)(?: is|'s)?:?\s*$/i,
  },
  {
    kind: 'word',
    // Not a date.
    digits:
      /(?!\d{4}-\d\d-\d\d(?![\d-])|\d{1,2}\/\d{1,2}\/\d{4}(?!\d))\d{1,6}(?:[-/]\d{2,8}){1,3}(?![\p{L}\d])/uy,
    after:
      /(?:^|[\s#])(?:order|orders|number|no|no\.|nr|ticket|invoice|case|id|account|article|parcel|booking|reservation|reference|ref|policy|contract|file|record|serial)(?:\s+(?:number|id|no\.?|nr\.?))?:?\s+#?$/i,
  },
];
/** Characters before a code that are looked at. */
const CONTEXT = 32;

/** The telephone number or other code of digits that starts here, with spaces or by the words before it. */
export function findCode(source: string, at: number): Run | undefined {
  for (const { kind, digits, after } of CODES) {
    digits.lastIndex = at;
    const code = digits.exec(source)?.[0];
    if (code !== undefined && after?.test(source.slice(Math.max(0, at - CONTEXT), at)) !== false)
      return { kind, length: code.length };
  }
  return undefined;
}
