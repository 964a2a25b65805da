import { readCalculation } from '../calculation/reader';
import { readDocument } from '../documents/reader';
import { isKnownTool } from '../known-tools';
import { readFile } from '../places/file';
import { readWeather } from '../places/weather';
import type { ReadContext, Reader } from '../reading/reading';
import { hasDocument } from '../reading/steps';
import { readRequest } from '../requests/reader';
import type { TokenKind, TokenText } from '../text/token';
import { readGiven, readRegistered } from '../tools/reader';
import type { ToolDescription } from '../types';

/** A reader of one kind of call, with what every clause for it has; other clauses are not shown to it. */
interface Kind {
  readonly read: Reader;
  readonly tokens?: readonly TokenKind[];
  readonly words?: RegExp;
  readonly when?: (context: ReadContext) => boolean;
}

const KINDS: readonly Kind[] = [
  {
    read: readCalculation,
    tokens: ['number'],
    words:
      /^(?:[a-z]+teen|[a-z]+ty|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|million|dozen|half|quarter|it|that|result|add|multiply|divide|subtract)(?:-|$)/,
  },
  { read: readDocument, tokens: ['json'], when: hasDocument },
  {
    read: readRequest,
    tokens: ['url', 'domain'],
    words: /^(?:get|head|options|post|put|patch|delete|fetch|call|send|submit|request|api|endpoint)$/,
  },
  { read: readFile, tokens: ['file', 'quoted'], words: /^files?$/ },
  { read: readWeather, words: /^(?:weather|temperature|forecast)$/ },
  { read: readRegistered, when: ({ tools }) => tools.some(({ name }) => !isKnownTool(name)) },
];

/** Reads a clause as calls of one kind after the other. */
export type ReadClause = (clause: TokenText, context: ReadContext) => readonly ReturnType<Reader>[];

export const readClause: ReadClause = (clause, context) =>
  KINDS.flatMap((kind) => (isShown(clause, context, kind) ? [kind.read(clause, context)] : []));

/** Reads for a tool that is chosen already. */
export function readerOf(tool: ToolDescription): ReadClause {
  return isKnownTool(tool.name) ? readClause : (clause, context) => [readGiven(clause, context)];
}

function isShown({ tokens }: TokenText, context: ReadContext, one: Kind): boolean {
  const { tokens: kinds = [], words, when } = one;
  if (when?.(context) === true) return true;
  return tokens.some(
    ({ kind, lower }) => kinds.includes(kind) || (kind === 'word' && words?.test(lower) === true),
  );
}
