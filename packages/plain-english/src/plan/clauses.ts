import type { ToolDescription } from '../types';
import { isTypoOf } from '../text/edit-distance';
import { stem } from '../text/stem';
import { lowerAt, sliceTokens, type Token, type TokenText } from '../text/token';
import { sameMeaning } from '../arguments/synonyms';
import { termsOf } from '../arguments/tool-terms';
import { wordsTagged } from '../text/lexicon/words';

/** Words that a new request begins with. */
const STARTERS = wordsTagged('starters');
const CORRECTABLE = 'subtract multiply divide double triple fetch extract translate convert'.split(' ');
const SKIPPED = wordsTagged('skipped');
const STRONG = new Set(['then', 'finally', 'afterwards', 'lastly']);
const MARKS = new Set(['.', '?', '!', ';']);

/** Stems of what tools do, and of words that mean the same. */
export const verbsOf = (tools: readonly ToolDescription[]): ReadonlySet<string> =>
  new Set(tools.flatMap((tool) => termsOf(tool).verbs.flatMap((verb) => [verb, ...sameMeaning(verb)])));

/** Cuts a sentence where one request may end and the next begin; which of the cuts are real, the planner finds out. */
export function splitClauses(text: TokenText, tools: readonly ToolDescription[]): TokenText[] {
  const verbs = verbsOf(tools);
  const { tokens } = text;
  const clauses: TokenText[] = [];
  let start = 0;
  for (let at = 0; at < tokens.length; at++) {
    const next = boundaryEnd(tokens, at, verbs);
    if (next === undefined) continue;
    if (at > start) clauses.push(sliceTokens(text, start, at));
    start = next;
    at = next - 1;
  }
  if (start < tokens.length) clauses.push(sliceTokens(text, start));
  return clauses;
}

/** Where the next clause starts, if one ends at this token. */
function boundaryEnd(tokens: readonly Token[], at: number, verbs: ReadonlySet<string>): number | undefined {
  const token = tokens[at];
  if (!token) return undefined;
  const next = tokens[at + 1];
  if (token.kind === 'symbol' && MARKS.has(token.text))
    return next?.start === token.end && next.kind === 'word' ? undefined : at + 1;
  if (token.lower === 'after' && (next?.lower === 'that' || next?.lower === 'which')) return at + 2;
  if (STRONG.has(token.lower)) return at + 1;
  if (token.lower !== 'and' && token.lower !== ',' && token.lower !== '&') return undefined;
  let begin = at + 1;
  while (SKIPPED.has(lowerAt(tokens, begin))) begin++;
  return isStarter(tokens[begin], verbs) ? begin : undefined;
}

/** True for a word that tells somebody to do something, or asks. */
export function isStarter(token: Token | undefined, verbs: ReadonlySet<string>): boolean {
  if (token?.kind !== 'word') return false;
  const { lower } = token;
  return (
    STARTERS.has(lower) ||
    (verbs.has(stem(lower)) && !/(?:ion|ment)s?$/.test(lower)) ||
    CORRECTABLE.some((word) => isTypoOf(lower, word))
  );
}

/** One clause from several neighbours, with what stood between them. */
export function joinClauses(text: TokenText, clauses: readonly TokenText[]): TokenText {
  const first = clauses[0]?.tokens[0];
  const last = clauses.at(-1)?.tokens.at(-1);
  if (!first || !last) return { source: text.source, tokens: [] };
  return {
    source: text.source,
    tokens: text.tokens.filter(({ start }) => start >= first.start && start <= last.start),
  };
}
