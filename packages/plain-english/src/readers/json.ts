import { guessPath, AmbiguousPath, resolvePathWords } from '../json/resolve-path';
import { readPathWords, type PathSegment } from '../json/path-words';
import type { Problem } from '../plan/problem';
import { hasData, hasTool, incomplete, referenceBack, type ReadContext, type Reading } from '../plan/reading';
import type { Token, TokenText } from '../text/token';

const READING = new Set(
  'get give tell show read extract return print take find pull report what whats which fetch grab pick output just only see display use apply query parse lookup select where who when'.split(
    ' ',
  ),
);
const COUNTING = /\bhow many\b|\bnumber of\b|\bcount the\b/;
/** What a clause may ask of a response that is there without reading a part. */
const WHOLE = new Set(
  'it everything all result response data content contents output answer body page back that this them what says file text'.split(
    ' ',
  ),
);

/** Reads a clause as a query of JSON: of a text in it, or of the data that the step before brought. */
export function readJson(clause: TokenText, context: ReadContext): Reading | undefined {
  if (!hasTool(context, 'json_reader')) return undefined;
  const json = clause.tokens.find(({ kind }) => kind === 'json');
  if (json) return readInline(clause, json);
  return hasData(context) ? readEarlier(clause, context) : undefined;
}

function readInline(clause: TokenText, json: Token): Reading | undefined {
  const rest = clause.tokens.filter((token) => token !== json);
  const extractedArgs = { jsonString: json.text };
  const written = writtenPaths(rest);
  if (written.length > 0) return readAll(1.6, json.text, written);
  const counts = COUNTING.test(rest.map(({ lower }) => lower).join(' '));
  const { path, problem } = findPath(readPathWords(withoutJsonContext(rest)), json.value);
  if (path !== undefined && !counts) return read(1.5, json.text, path);
  const several = counts ? undefined : severalPaths(rest, json.value);
  if (several) return readAll(1.5, json.text, several);
  const asks = rest.some(({ lower }) => READING.has(lower)) || rest.length === 0;
  if (!asks && !counts) return undefined;
  const message = counts ? 'Counting is nothing that a JSONPath query can do.' : problem;
  return incomplete(0.9, { message, missing: 'path', toolName: 'json_reader', extractedArgs });
}

/** One reading of the same text for each path. */
function readAll(score: number, jsonString: string, paths: readonly string[]): Reading {
  return { score, steps: paths.map((path) => ({ toolName: 'json_reader', args: { jsonString, path } })) };
}

function read(score: number, jsonString: string, path: string, pathWords?: readonly PathSegment[]): Reading {
  return {
    score,
    steps: [{ toolName: 'json_reader', args: { jsonString, path }, ...(pathWords ? { pathWords } : {}) }],
  };
}

const SHARED = new Set(['of', 'from', 'in']);

/** `the name and the age of the first user`: a path for each, where every one of them is there. */
function severalPaths(tokens: readonly Token[], document: unknown): string[] | undefined {
  const end = tokens.findIndex(({ lower }) => SHARED.has(lower));
  const shared = end === -1 ? [] : tokens.slice(end);
  const parts: Token[][] = [[]];
  for (const token of end === -1 ? tokens : tokens.slice(0, end)) {
    if (token.lower === 'and' || token.lower === ',') parts.push([]);
    else parts.at(-1)?.push(token);
  }
  const named = parts.filter((part) => part.length > 0);
  if (named.length < 2 || named.length > 8) return undefined;
  const paths = named.map((part) => findPath(readPathWords([...part, ...shared]), document).path);
  return paths.every((path) => path !== undefined) ? paths : undefined;
}

/** JSONPaths, or a dotted path that only lacks its `$`. */
function writtenPaths(tokens: readonly Token[]): string[] {
  const queries = tokens.filter(({ kind }) => kind === 'jsonpath').map(({ text }) => text);
  if (queries.length > 0) return queries;
  const dotted = tokens.find(({ kind }) => kind === 'dotted' || kind === 'domain');
  return dotted && !/[/:]/.test(dotted.text) ? [`$.${dotted.text.replace(/^\./, '')}`] : [];
}

/** `from this json`, `I got this back from the server:` are about the document as a whole. */
function withoutJsonContext(tokens: readonly Token[]): readonly Token[] {
  const start = tokens.findLastIndex(({ text }, at) => text === ':' && at < tokens.length - 1 && at > 1);
  const after = tokens.slice(start + 1);
  return start === -1 || after.every(({ kind }) => kind === 'symbol') ? tokens : after;
}

function findPath(
  segments: readonly PathSegment[],
  document: unknown,
): { path?: string; problem: Problem['message'] } {
  if (segments.length === 0) return { problem: 'What to read from the JSON is not said.' };
  const words = segments.map((segment) => segment.words.join(' ')).join(' of ');
  try {
    const path = resolvePathWords(segments, document);
    return path === undefined
      ? { problem: `There is no "${words.slice(0, 80)}" in the JSON.` }
      : { path, problem: '' };
  } catch (error) {
    if (!(error instanceof AmbiguousPath)) throw error;
    return {
      problem: `"${words.slice(0, 80)}" is in the JSON more than once: ${error.paths.join(', ').slice(0, 200)}.`,
    };
  }
}

/** `and tell me the total` after a request or a file. */
function readEarlier(clause: TokenText, context: ReadContext): Reading | undefined {
  const { tokens } = clause;
  if (tokens.some(({ kind }) => ['url', 'email', 'file', 'json'].includes(kind))) return undefined;
  const source = referenceBack(context) ?? '';
  const queries = tokens.filter(({ kind }) => kind === 'jsonpath').map(({ text }) => text);
  const written = queries.length === 0 && startsReading(tokens) ? writtenPaths(tokens) : queries;
  if (written.length > 0) return readAll(1.6, source, written);
  if (!startsReading(tokens)) return undefined;
  const segments = readPathWords(tokens);
  const path = guessPath(segments);
  if (
    path === undefined ||
    segments.every(({ words, index }) => index === undefined && words.every((word) => WHOLE.has(word)))
  ) {
    return { score: 0.5, steps: [] };
  }
  if (COUNTING.test(tokens.map(({ lower }) => lower).join(' '))) return undefined;
  // `take the total field from it` reads a part, though taking from something is a subtraction as well.
  if (namesKey(tokens)) return read(1.6, source, path, segments);
  return read(segments.flatMap(({ words }) => words).length > 4 ? 0.5 : 1, source, path, segments);
}

const KEY_NOUNS = new Set('field value entry property attribute key'.split(' '));

/** `the total field`, `the value of total`. */
function namesKey(tokens: readonly Token[]): boolean {
  const at = tokens.findIndex(({ lower }) => KEY_NOUNS.has(lower));
  return at > 0 && !tokens.some(({ kind }) => kind === 'number');
}

const PRELUDE = new Set('and then also please so , can could you would now me'.split(' '));

function startsReading(tokens: readonly Token[]): boolean {
  const first = tokens.find(({ lower }) => !PRELUDE.has(lower));
  return first !== undefined && READING.has(first.lower);
}
