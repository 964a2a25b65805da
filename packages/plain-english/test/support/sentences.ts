import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolDescription } from '../../src/types';
import { isPlainEnglishError } from '../../src/errors';
import { understand } from '../../src/plan/understand';
import { KNOWN_TOOLS } from '../../src/known-tools';

export interface ExpectedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface LabelledSentence {
  readonly id: string;
  readonly query: string;
  readonly expect: readonly ExpectedCall[] | { readonly error: string; readonly missing?: string };
}

export interface SentenceFile {
  readonly tools: readonly ToolDescription[];
  readonly sentences: readonly LabelledSentence[];
}

export interface Score {
  readonly total: number;
  readonly right: number;
  /** Sentences with other calls than the wanted ones. A refusal where a call is wanted is not among them. */
  readonly wrong: number;
  /** One readable line for each sentence that is not understood as labelled. */
  readonly failures: readonly string[];
}

type Outcome =
  { readonly calls: readonly ExpectedCall[] } | { readonly missing: unknown; readonly message: string };

const SENTENCES = join(__dirname, '..', 'sentences');

/** @param folder of the labelled sentences, for callers that run from compiled files */
export function readSentences(name: string, folder = SENTENCES): SentenceFile {
  return JSON.parse(readFileSync(join(folder, name), 'utf8')) as SentenceFile;
}

/** Compares the plans of the built-in provider with the labels, by the rules of packages/plain-english/test/sentences/README.md. */
export function scoreSentences({ tools, sentences }: SentenceFile): Score {
  const offered = [...KNOWN_TOOLS, ...tools];
  const failed = sentences
    .map((sentence) => ({ sentence, outcome: outcomeOf(sentence.query, offered) }))
    .filter(({ sentence, outcome }) => !isRight(sentence.expect, outcome));
  return {
    total: sentences.length,
    right: sentences.length - failed.length,
    wrong: failed.filter(({ outcome }) => 'calls' in outcome).length,
    failures: failed.map(({ sentence, outcome }) => describe(sentence, outcome)),
  };
}

function outcomeOf(query: string, tools: readonly ToolDescription[]): Outcome {
  try {
    return { calls: understand(query, tools).steps.map(({ toolName, args }) => ({ tool: toolName, args })) };
  } catch (error) {
    if (!isPlainEnglishError(error) || error.code !== 'QUERY_NOT_UNDERSTOOD') throw error;
    return { missing: error.details?.['missing'], message: error.message };
  }
}

function isRight(expected: LabelledSentence['expect'], outcome: Outcome): boolean {
  if (!isCalls(expected)) return !('calls' in outcome) && outcome.missing === expected.missing;
  if (!('calls' in outcome)) return false;
  return sameCalls(expected, outcome.calls) || sameNumber(expected, outcome.calls);
}

function isCalls(expected: LabelledSentence['expect']): expected is readonly ExpectedCall[] {
  return Array.isArray(expected);
}

function sameCalls(expected: readonly ExpectedCall[], actual: readonly ExpectedCall[]): boolean {
  return (
    expected.length === actual.length &&
    expected.every((call, index) => {
      const other = actual[index];
      return other !== undefined && canonical(call) === canonical(other);
    })
  );
}

function canonical({ tool, args }: ExpectedCall): string {
  const own: Record<string, unknown> = { ...args };
  if (tool === 'api_call') own['method'] = String(own['method'] ?? 'GET').toUpperCase();
  if (tool === 'calculator' && (own['operation'] === 'add' || own['operation'] === 'multiply')) {
    const [a, b] = [String(own['a']), String(own['b'])].sort();
    Object.assign(own, { a, b });
  }
  return JSON.stringify([tool, normal(own)]);
}

/** Keys in order, texts without regard to case and outer white space. */
function normal(value: unknown): unknown {
  if (typeof value === 'string') return value.trim().toLowerCase();
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, normal(item)]),
  );
}

/** A plan of calculations alone is right when it ends in the same number. */
function sameNumber(expected: readonly ExpectedCall[], actual: readonly ExpectedCall[]): boolean {
  const [wanted, got] = [calculate(expected), calculate(actual)];
  if (wanted === undefined || got === undefined) return false;
  return Math.abs(wanted - got) <= 1e-9 * Math.max(1, Math.abs(wanted));
}

function calculate(calls: readonly ExpectedCall[]): number | undefined {
  const results: number[] = [];
  for (const { tool, args } of calls) {
    if (tool !== 'calculator') return undefined;
    const [a, b] = [args['a'], args['b']].map((value) => {
      const step = /^\{\{(\d+)\}\}$/.exec(String(value))?.[1];
      return step === undefined ? Number(value) : (results[Number(step) - 1] ?? Number.NaN);
    });
    results.push(apply(String(args['operation']), a!, b!));
  }
  const last = results.at(-1);
  return last !== undefined && Number.isFinite(last) ? last : undefined;
}

function apply(operation: string, a: number, b: number): number {
  if (operation === 'add') return a + b;
  if (operation === 'subtract') return a - b;
  return operation === 'multiply' ? a * b : a / b;
}

function describe({ id, query, expect }: LabelledSentence, outcome: Outcome): string {
  return `${id}: ${query}\n    expected ${JSON.stringify(expect)}\n    got      ${JSON.stringify('calls' in outcome ? outcome.calls : outcome)}`;
}
