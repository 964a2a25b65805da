import { HIDDEN } from '../contracts/redact';
import { mayHaveCredentials } from './credential-texts';
import type { Redactor } from './redactor';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const HIDDEN_JSON = JSON.stringify(HIDDEN);
/** Longer texts are documents rather than fields, and are not searched, as in `redactor.ts`, characters. */
const MAX_SEARCHED = 16_384;
const LONG_NAME = '-'.repeat(MAX_SEARCHED);
/** The fields that name what is in the field `value` beside them. */
const NAMING: ReadonlySet<string> = new Set(['name', 'key', 'header']);
/** What may follow a number or a literal. */
const END_OF_SCALAR = /[,}\]]/g;

/** Strikes out the credentials of JSON text that comes in parts. */
export interface JsonTextRedactor {
  /** @returns what is certain of the text so far; the rest comes with a later part, or with `end` */
  write(part: string): string;
  end(): string;
}

export type Hiding = Pick<Redactor, 'isCredential' | 'text'>;

interface Level {
  readonly isStruck: boolean;
  /** The name of the field whose value comes next. */
  field: string | undefined;
  /** Whether a field has named what is in the field `value` as a credential. */
  namesCredential: boolean;
}

/**
 * Creates a redactor of text as `JSON.stringify` writes it, without white space. It hides what `Redactor.value` hides, except if a
 * field `value` precedes the one that names it. It keeps one text of at most 16,384 characters and the levels of nesting.
 */
export function redactJsonText({ isCredential, text: hideInText }: Hiding): JsonTextRedactor {
  const outermost: Level = { isStruck: false, field: undefined, namesCredential: false };
  const levels: Level[] = [];
  let rest = '';
  /** Inside a text that is too long to be kept: whether it is left out. */
  let inLong: { readonly isLeftOut: boolean } | undefined;

  const current = (): Level => levels.at(-1) ?? outermost;
  const isStruck = (): boolean => {
    const { field, isStruck: all, namesCredential } = current();
    if (all || field === undefined) return all;
    return isCredential({}, field) || (field === 'value' && namesCredential);
  };

  function openLevel(): void {
    levels.push({ isStruck: isStruck(), field: undefined, namesCredential: false });
  }

  function writeText(raw: string): string {
    const { field } = current();
    if (isStruck()) return raw === '' ? '""' : HIDDEN_JSON;
    if (field !== undefined && NAMING.has(field)) current().namesCredential ||= isCredential({}, raw);
    return `"${raw.length <= MAX_SEARCHED && mayHaveCredentials(raw) ? hideInText(raw) : raw}"`;
  }

  function read(text: string, isLast: boolean): string {
    const out: string[] = [];
    let at = 0;
    while (at < text.length) {
      if (inLong !== undefined) {
        const end = endOfText(text, at);
        const stop = end === -1 ? text.length - trailingBackslashes(text, at) : end + 1;
        if (!inLong.isLeftOut) out.push(text.slice(at, stop));
        at = stop;
        if (end === -1) break;
        inLong = undefined;
        continue;
      }
      const unit = text.charAt(at);
      if (text.charCodeAt(at) === QUOTE) {
        const end = endOfText(text, at + 1);
        if (end === -1 && text.length - at <= MAX_SEARCHED && !isLast) break;
        if (end === -1) {
          inLong = { isLeftOut: isStruck() };
          out.push(inLong.isLeftOut ? HIDDEN_JSON : '"');
          at += 1;
          continue;
        }
        // Whether the text is a name shows in what follows.
        if (end + 1 === text.length && !isLast) break;
        const raw = text.slice(at + 1, end);
        at = end + 1;
        if (text[at] === ':') {
          current().field = raw;
          out.push(`"${raw}":`);
          at += 1;
        } else out.push(writeText(raw));
      } else if (unit === '{' || unit === '[') {
        openLevel();
        out.push(unit);
        at += 1;
      } else if (unit === '}' || unit === ']') {
        levels.pop();
        out.push(unit);
        at += 1;
      } else if (unit === ':') {
        // It follows a name that was too long to be kept, which counts as that of a credential.
        current().field = LONG_NAME;
        out.push(unit);
        at += 1;
      } else if (unit === ',') {
        current().field = undefined;
        out.push(unit);
        at += 1;
      } else {
        END_OF_SCALAR.lastIndex = at;
        const end = END_OF_SCALAR.exec(text)?.index ?? text.length;
        if (end === text.length && !isLast) break;
        const scalar = text.slice(at, end);
        out.push(/^[-\d]/.test(scalar) && isStruck() ? HIDDEN_JSON : scalar);
        at = end;
      }
    }
    rest = text.slice(at);
    return out.join('');
  }

  return {
    write: (part) => read(rest + part, false),
    end: () => read(rest, true),
  };
}

/** The place of the quote that ends a text; -1 if it is not there yet. */
function endOfText(text: string, from: number): number {
  let end = text.indexOf('"', from);
  while (end !== -1 && trailingBackslashes(text.slice(0, end), from) % 2 === 1)
    end = text.indexOf('"', end + 1);
  return end;
}

/** How many backslashes are at the end of a text, from a place on. */
function trailingBackslashes(text: string, from: number): number {
  let count = 0;
  while (text.length - 1 - count >= from && text.charCodeAt(text.length - 1 - count) === BACKSLASH)
    count += 1;
  return count;
}
