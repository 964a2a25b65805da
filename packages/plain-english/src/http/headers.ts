import { POLITENESS, STOP_WORDS } from '../text/stop-words';
import { textOf } from '../text/token';
import { LABELS, type Draft } from './draft';
import { isMethodName } from './method-names';
import { linkAt, type Link } from './values';
import { wordsTagged } from '../text/lexicon/words';

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Names that are ordinary words too. */
const WORDS = list('accept authorization authorisation cookie origin referer range host etag');
const NAMES = wordsTagged('names');
const SCHEMES = list('bearer basic token apikey digest');
/** A date of HTTP, or anything without a space. */
const RUN = /[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} [\d:]{5,8} GMT|\S+/y;

interface HeaderName {
  readonly name: string;
  /** How many tokens it is written in. */
  readonly length: number;
  /** Set where it may be an ordinary word. */
  readonly isWord: boolean;
}

/** The name of a header that starts here: `X-Key`, `If-Match`, `Accept`, `content type`. */
export function headerName(draft: Draft, at: number): HeaderName | undefined {
  const { kind, text, lower } = draft.tokens[at] ?? { kind: 'symbol', text: '', lower: '' };
  if (kind !== 'word') return undefined;
  if (NAMES.has(`${lower}-${draft.word(at + 1)}`))
    return { name: capitals(`${lower}-${draft.word(at + 1)}`), length: 2, isWord: false };
  if (WORDS.has(lower)) {
    const isMeant =
      /^[A-Z]/.test(text) ||
      /^(?:accept|authori[sz]ation)$/.test(lower) ||
      draft.isHeaderWord(at + 1) ||
      draft.isUsed(at - 1);
    return isMeant
      ? { name: capitals(lower.replace('authoris', 'authoriz')), length: 1, isWord: true }
      : undefined;
  }
  if (NAMES.has(lower)) return { name: capitals(lower), length: 1, isWord: false };
  return isTelling(text) ? { name: text, length: 1, isWord: false } : undefined;
}

function capitals(name: string): string {
  return name
    .split('-')
    .map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`)
    .join('-');
}

export interface Header {
  readonly name: string;
  readonly value: string;
  /** The token after it. */
  readonly to: number;
}
type Found = Omit<Header, 'name'>;

/**
 * The header that starts at a token.
 * @param isHeaded whether the word `header` leads to it, so that its name may be of any look
 */
export function readHeader(draft: Draft, at: number, isHeaded: boolean): Header | undefined {
  const token = draft.tokens[at];
  if (!token || token.kind === 'symbol') return undefined;
  if (token.lower === 'bearer') return bearerAt(draft, at);
  const [, name = '', rest = ''] = (token.kind === 'quoted' && QUOTED.exec(String(token.value))) || [];
  if (isTelling(name)) return { name, value: rest, to: at + 1 };
  const known = headerName(draft, at);
  const after = at + (known?.length ?? 1);
  const isNamed = draft.isHeaderWord(after);
  const link = linkAt(draft, isNamed ? after + 1 : after);
  const isTied = link.tie === 'sign' || link.tie === 'verb';
  if (known ? known.isWord && link.tie === 'none' && !isHeaded && !isNamed : !isHeaded || !isTied)
    return undefined;
  const value = headerValue(draft, at, link) ?? (known && valueBefore(draft, at));
  return (
    value && { name: known?.name ?? (token.kind === 'quoted' ? String(token.value) : token.text), ...value }
  );
}

const QUOTED = /^([A-Za-z][\w-]*):\s*(\S.*)$/;

function isTelling(name: string): boolean {
  const parts = name.split('-');
  const isCapital = parts.every((part) => /^[A-Z]/.test(part));
  return /^x-./i.test(name) || (isCapital && (parts.length > 1 || WORDS.has(name.toLowerCase())));
}

/** The value after the name at `from`: up to a space; to the end of the line where the header has one to itself. */
function headerValue(draft: Draft, from: number, { tie, to }: Link): Found | undefined {
  // `X-Key goes …`, `as X-Key to https://…`: no value, unless a sign leads to one.
  if (!draft.isFree(to) || (tie !== 'sign' && !isValue(draft, to))) return undefined;
  const line = draft.startsLine(from) && tie === 'sign' ? lineEnd(draft, to) : undefined;
  return line === undefined ? runAt(draft, to) : { value: textOf(draft.text, to, line), to: line };
}

function isValue(draft: Draft, at: number): boolean {
  const word = draft.word(at);
  if (!draft.isFree(at) || draft.isMark(at) || draft.isHeaderWord(at)) return false;
  return !STOP_WORDS.has(word) && !POLITENESS.has(word) && !LABELS.has(word) && !isMethodName(word);
}

/** Up to a space, or past one after a scheme such as `Bearer`. */
function runAt({ tokens, text: { source } }: Draft, at: number): Found | undefined {
  const [first, second] = [tokens[at], tokens[at + 1]];
  if (!first) return undefined;
  if (first.kind === 'quoted') return { value: String(first.value), to: at + 1 };
  const last = SCHEMES.has(first.lower) && second && second.start > first.end ? second : first;
  if (SCHEMES.has(last.lower)) return undefined;
  RUN.lastIndex = last.start;
  const end = last.start + (RUN.exec(source)?.[0] ?? '').replace(/[.,;:!?)>]{1,4}$/, '').length;
  let to = at + 1;
  while ((tokens[to]?.start ?? Infinity) < end) to++;
  return { value: source.slice(first.start, end), to };
}

/** The end of the line, where the text has several and nothing else of the request is in this one. */
function lineEnd(draft: Draft, start: number): number | undefined {
  if (!draft.text.source.includes('\n')) return undefined;
  for (let at = start; ; at++) {
    if (at > start && (at >= draft.tokens.length || draft.startsLine(at))) return at;
    if (!draft.isFree(at) || (at > start && draft.isNamed(at))) return undefined;
  }
}

/** `abc in the X-Key header`: the value stands before the name and is used up here. */
function valueBefore(draft: Draft, at: number): Found | undefined {
  const before = draft.word(at - 1) === 'the' ? at - 2 : at - 1;
  const value = draft.tokens[before - 1];
  if (!/^(?:in|as|under|for)$/.test(draft.word(before)) || !value || !isValue(draft, before - 1))
    return undefined;
  draft.use(before - 1);
  return { value: value.kind === 'quoted' ? String(value.value) : value.text, to: at + 1 };
}

/** `Bearer abc` and `a bearer token abc`, with no header named. */
function bearerAt(draft: Draft, at: number): Header | undefined {
  const { to } = linkAt(draft, /^(?:token|auth|authentication)$/.test(draft.word(at + 1)) ? at + 2 : at + 1);
  const found = isValue(draft, to) ? runAt(draft, to) : undefined;
  return found && { name: 'Authorization', value: `Bearer ${found.value}`, to: found.to };
}
