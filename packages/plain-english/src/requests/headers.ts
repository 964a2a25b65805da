import { setOf } from '../text/lexicon/words';
import { lowerAt, type Token, type TokenText } from '../text/token';

/** Names of headers that are one word; others have a hyphen. */
const NAMES = setOf('authorization accept cookie origin referer host range etag');
const HYPHENED = /^[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+$/;
const TIES = setOf(': = is to as set');
const INTRODUCTIONS = setOf('header headers');
/** A value is one run of characters, in quotes or after the scheme of a credential. */
const VALUE =
  /[\s:=]*(?:((?:bearer|basic|token|apikey|digest)\s+\S+?|[^\s"'“][^\s,;]*?)|"([^"]*)"|'([^']*)')(?=[.,;!?]*(?:\s|$))/iy;

export interface Headers {
  readonly values: Readonly<Record<string, string>>;
  readonly read: ReadonlySet<Token>;
}

/** The headers that a clause gives as `Name: value`, with the word `header` before them or a name that only a header has. */
export function readHeaders({ source, tokens }: TokenText): Headers {
  const values: Record<string, string> = {};
  const read = new Set<Token>();
  for (const [at, token] of tokens.entries()) {
    if (read.has(token) || !isName(tokens, at, read)) continue;
    const tie = tieEnd(tokens, at + 1);
    const isPlain = NAMES.has(token.lower) || HYPHENED.test(token.text);
    // Another word is a name only before a sign.
    if (tie === undefined || (!isPlain && !/^[:=]$/.test(lowerAt(tokens, at + 1)))) continue;
    VALUE.lastIndex = tokens[tie - 1]?.end ?? source.length;
    const match = VALUE.exec(source);
    if (!match) continue;
    values[token.text] = match[1] ?? match[2] ?? match[3] ?? '';
    const end = match.index + match[0].length;
    for (const inside of tokens) if (inside.start >= token.start && inside.end <= end) read.add(inside);
  }
  for (const token of tokens) if (read.size > 0 && INTRODUCTIONS.has(token.lower)) read.add(token);
  return { values, read };
}

function isName(tokens: readonly Token[], at: number, read: ReadonlySet<Token>): boolean {
  const { kind, lower, text } = tokens[at] ?? { kind: 'symbol', lower: '', text: '' };
  if (kind !== 'word') return false;
  if (NAMES.has(lower) || HYPHENED.test(text)) return true;
  let before = at - 1;
  while (/^(?:and|,|the|a|with|of)$/.test(lowerAt(tokens, before))) before--;
  const last = tokens[before];
  return (
    INTRODUCTIONS.has(lowerAt(tokens, before)) || (before < at - 1 && last !== undefined && read.has(last))
  );
}

/** The token after `:`, `=`, `is` or `set to`; a colon stands right at its name. */
function tieEnd(tokens: readonly Token[], at: number): number | undefined {
  const tie = tokens[at];
  if (!tie || !TIES.has(tie.lower)) return undefined;
  if (tie.text === ':' && tie.start !== tokens[at - 1]?.end) return undefined;
  return tie.lower === 'set' && lowerAt(tokens, at + 1) === 'to' ? at + 2 : at + 1;
}
