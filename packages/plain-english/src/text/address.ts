import type { TokenKind } from './token';

interface Run {
  readonly kind: TokenKind;
  readonly length: number;
  readonly value?: string;
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
const DATA_FILES =
  'txt md markdown csv tsv json jsonl ndjson xml yaml yml toml ini conf cfg env log html htm css js mjs cjs ts tsx jsx py rb go rs java c h cpp sh bat sql pdf png jpg jpeg gif webp svg ico bmp zip gz tar tgz doc docx xls xlsx ppt pptx rtf bin dat bak lock tmp mp3 mp4 wav parquet db sqlite properties';
const FILE_EXTENSIONS = new Set(DATA_FILES.split(' '));
const DOMAINS =
  'com org net io dev app co gov edu ai eu us uk de fr es it nl be ch at se no dk fi pl pt ie ca au nz in jp cn br mx ru info biz me tv cloud tech online site xyz local test example internal localhost int mil page shop blog store news';
const TOP_LEVEL = new Set(DOMAINS.split(' '));
const TRAILING = new Set(Array.from('.,;:!?)]}\'"’…>'));

/**
 * What a run of characters without space is as a whole: an address of the web or of a mailbox, a file's path, a dotted
 * path such as `user.name`. The length is without punctuation that belongs to the sentence.
 */
export function classifyRun(run: string): Run | undefined {
  const text = withoutTrailing(run);
  if (text.length < 3) return undefined;
  if (isPhoneNumber(text)) return { kind: 'phone', length: text.length };
  if (URL_START.test(text)) return { kind: 'url', length: text.length, value: text };
  if (CODE_RUN.test(text)) return { kind: 'word', length: text.length };
  if (!/[./\\@[]/.test(text) && !text.startsWith('localhost')) return undefined;
  if (VERSION.test(text)) return { kind: 'word', length: text.length };
  const possessive = /['’]s$/.test(text) ? text.slice(0, -2) : text;
  const kind = kindOf(possessive);
  return (
    kind && {
      kind,
      length: possessive.length,
      ...(kind === 'domain' ? { value: `https://${possessive}` } : {}),
    }
  );
}

function kindOf(text: string): TokenKind | undefined {
  if (text.includes('@') && EMAIL.test(text)) return 'email';
  if (isHost(text)) return 'domain';
  if (isFile(text)) return 'file';
  return DOTTED.test(text) ? 'dotted' : undefined;
}

function isHost(text: string): boolean {
  const found = HOST.exec(text);
  if (!found) return false;
  const [, topLevel, port, rest] = found;
  if (topLevel === undefined) {
    // Four numbers with points are an address; a lone localhost is one too.
    return true;
  }
  if (!TOP_LEVEL.has(topLevel.toLowerCase())) return port !== undefined && rest !== undefined;
  return true;
}

function isFile(text: string): boolean {
  if (WINDOWS_PATH.test(text)) return true;
  if (!PATH_CHARACTERS.test(text)) return false;
  const extension = EXTENSION.exec(text)?.[1]?.toLowerCase();
  if (extension !== undefined && FILE_EXTENSIONS.has(extension) && !/^\d/.test(extension)) return true;
  if (/^(?:\.{1,2}|~)?\/[^/\s]/.test(text)) return /\p{L}/u.test(text);
  // `reports/may` may be a path; `km/h` and `and/or` are too short to be distinguished from one and are not.
  return /[/\\]/.test(text) && (extension !== undefined ? /\p{L}/u.test(extension) : isFolderPath(text));
}

function isFolderPath(text: string): boolean {
  const parts = text.split(/[/\\]/);
  return parts.length >= 3 && parts.every((part) => /\p{L}/u.test(part));
}

/** Closing brackets stay where they close one of the run. */
function withoutTrailing(run: string): string {
  let end = run.length;
  while (end > 0 && TRAILING.has(run.charAt(end - 1))) {
    const last = run.charAt(end - 1);
    if (last === ')' && count(run, '(', end) >= count(run, ')', end)) break;
    if (last === ']' && count(run, '[', end) >= count(run, ']', end)) break;
    if (last === '}' && count(run, '{', end) >= count(run, '}', end)) break;
    end--;
    // A run of nothing but brackets would otherwise be counted over and over.
    if (run.length - end > 16) break;
  }
  return run.slice(0, end);
}

function count(run: string, character: string, end: number): number {
  let found = 0;
  for (let at = 0; at < end; at++) if (run[at] === character) found++;
  return found;
}

/** In groups, or with a country code; two groups alone are as well a subtraction. */
const COMPLETE = /^(?:\+\d[\d-]{6,18}|\(?\d{3}\)?[-.]\d{3}[-.]\d{4})$/;
/** No number to calculate with is written with a zero before its other digits. */
const WITH_ZERO = /^(?:0\d{1,5}[-/]\d{3,10}|\d{3}-0\d{3}|0\d{8,13})$/;
const TWO_GROUPS = /^\d{3,5}-\d{4,8}$/;
const BEFORE_NUMBER =
  /(?:^|\s)(?:to|at|on|number|phone|call|text|sms|dial|ring|tel|tel\.|telephone|mobile|cell|message|msg)(?: is|'s)?:?\s*$/i;
const SPACED =
  /\+\d{1,3}(?: \(?\d{2,8}\)?){2,4}(?![\d.,]*\d)|0\d{2,4} \d{3,8}(?: \d{3,4}){0,2}(?![\d.,]*\d)/y;
/** Characters before a number that are looked at. */
const CONTEXT = 16;

/** True for a run of characters that is a telephone number whatever is around it. */
export function isPhoneNumber(run: string): boolean {
  return COMPLETE.test(run) || WITH_ZERO.test(run);
}

/** Where the telephone number that starts here ends: one with spaces, or one that only the words before it tell. */
export function findPhoneEnd(source: string, at: number, run: string): number | undefined {
  const first = source.charAt(at);
  if (first !== '+' && !/\d/.test(first)) return undefined;
  SPACED.lastIndex = at;
  const spaced = SPACED.exec(source)?.[0];
  if (spaced !== undefined) return at + spaced.length;
  const digits = run.replace(/[.,;:!?]+$/, '');
  const called = TWO_GROUPS.test(digits) && BEFORE_NUMBER.test(source.slice(Math.max(0, at - CONTEXT), at));
  return called ? at + digits.length : undefined;
}

const CODE = /\d{1,6}(?:[-/]\d{2,8}){1,3}(?![\p{L}\d])/uy;
const BEFORE_CODE =
  /(?:^|[\s#])(?:order|orders|number|no|no\.|nr|ticket|invoice|case|id|account|article|parcel|booking|reservation|reference|ref|policy|contract|file|record|serial)(?:\s+(?:number|id|no\.?|nr\.?))?:?\s+#?$/i;
/** Characters before a code that are looked at. */
const CODE_CONTEXT = 32;

/** Where a code of digits and hyphens ends: after `order` or `number`, `10-4432` is no subtraction. */
export function findNumberCodeEnd(source: string, at: number): number | undefined {
  CODE.lastIndex = at;
  const code = CODE.exec(source)?.[0];
  const called = code !== undefined && BEFORE_CODE.test(source.slice(Math.max(0, at - CODE_CONTEXT), at));
  return called ? at + code.length : undefined;
}
