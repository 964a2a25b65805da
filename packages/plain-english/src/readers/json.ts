import { guessPath } from '../json/guess-path';
import { readPathWords } from '../json/path-words';
import { attempt } from '../plan/problem';
import { hasData, hasTool, incomplete, referenceBack, type ReadContext, type Reading } from '../plan/reading';
import type { Token, TokenText } from '../text/token';
import { readDocument } from './document';
import { wordsTagged } from '../text/lexicon/words';

const READING = wordsTagged('reading');

/** Reads a clause as a query of JSON: of a text in it, or of the data that the step before brought. */
export function readJson(clause: TokenText, context: ReadContext): Reading | undefined {
  if (!hasTool(context, 'json_reader')) return undefined;
  const json = clause.tokens.find(({ kind }) => kind === 'json');
  if (json) return readInline(clause, json);
  return hasData(context) ? readEarlier(clause, context) : undefined;
}

function readInline(clause: TokenText, json: Token): Reading | undefined {
  const rest = clause.tokens.filter((token) => token !== json);
  if (!rest.some(({ lower }) => READING.has(lower)) && writtenPaths(rest).length === 0) return undefined;
  const document = { value: json.value, reference: json.text };
  const { value: steps, error } = attempt(() => readDocument(clause, [document], 0));
  return steps ? { score: 1.5, steps } : incomplete(0.9, { ...error.details, message: error.message });
}

/** One reading of the same text for each path. */
function readAll(score: number, jsonString: string, paths: readonly string[]): Reading {
  return { score, steps: paths.map((path) => ({ toolName: 'json_reader', args: { jsonString, path } })) };
}

/** JSONPaths, or a dotted path that only lacks its `$`. */
function writtenPaths(tokens: readonly Token[]): string[] {
  const queries = tokens.filter(({ kind }) => kind === 'jsonpath').map(({ text }) => text);
  if (queries.length > 0) return queries;
  const dotted = tokens.find(({ kind }) => kind === 'dotted' || kind === 'domain');
  return dotted && !/[/:]/.test(dotted.text) ? [`$.${dotted.text.replace(/^\./, '')}`] : [];
}

/** `and tell me the total` after a request or a file. */
function readEarlier(clause: TokenText, context: ReadContext): Reading | undefined {
  const { tokens } = clause;
  const source = referenceBack(context) ?? '';
  if (!startsReading(tokens) && !tokens.some(({ kind }) => kind === 'jsonpath')) return undefined;
  const written = writtenPaths(tokens);
  if (written.length > 0) return readAll(1.6, source, written);
  const segments = readPathWords(tokens);
  const path = guessPath(segments);
  if (path === undefined) return undefined;
  return readAll(segments.flatMap(({ words }) => words).length > 4 ? 0.5 : 1, source, [path]);
}

const PRELUDE = wordsTagged('prelude');

function startsReading(tokens: readonly Token[]): boolean {
  const first = tokens.find(({ lower }) => !PRELUDE.has(lower));
  return first !== undefined && READING.has(first.lower);
}
