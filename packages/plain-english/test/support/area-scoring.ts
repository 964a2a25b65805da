import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPlainEnglishError } from '../../src/errors';
import { KNOWN_TOOLS } from '../../src/known-tools';
import { understand } from '../../src/plan/understand';
import { runPlan, type Documents } from './plan-runs';
import { readCases, score } from './recalled-scoring';
import { readSentences, scoreSentences } from './sentences';

/** What ordinary people type, by area; test/areas/README.md says how the sets were made. */
export const AREAS = ['arithmetic', 'tools', 'json', 'http', 'memory'] as const;
export type Area = (typeof AREAS)[number];

export interface AreaScore {
  readonly total: number;
  readonly right: number;
  /** Cases with another result than the wanted one. A refusal where there is a result counts as neither. */
  readonly wrong: number;
  /** One readable line for each case that is not right. */
  readonly failures: readonly string[];
}

export interface AreaCase {
  readonly id: string;
  readonly query: string;
  readonly documents?: Documents;
  readonly expect?: unknown;
  /** Why the sentence is to be refused, in place of `expect`. */
  readonly refuse?: string;
}

interface HttpRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What came of a sentence; undefined: it was refused. */
type Outcome = { readonly value: unknown } | undefined;

interface AreaResult {
  readonly one: AreaCase;
  readonly outcome: Outcome;
  readonly isRight: boolean;
}

/** `held-out`: nothing is tuned on it. `development`: what the rules are written with. */
export type AreaHalf = 'held-out' | 'development';

const FOLDER = join(__dirname, '..', 'areas');

/** @param sets the folder of the sets, for callers that run from compiled files */
export function scoreArea(set: Area, half: AreaHalf, sets = FOLDER): AreaScore {
  const folder = join(sets, half);
  if (set === 'tools') return scoreTools(folder);
  if (set === 'memory') {
    const cases = readCases(join(folder, 'memory.json'));
    const { right, wrong, failures } = score(cases);
    const lines = failures.map(
      ({ outcome, query, told, got }) => `${outcome}: ${query}\n    told ${told}\n    got  ${got}`,
    );
    const total = cases.length;
    return { total, right: Math.round(right * total), wrong: Math.round(wrong * total), failures: lines };
  }
  return tally(readAreaCases(set, folder).map((one) => resultOf(set, one)));
}

/** The cases of all sets of an area: each author's set after the first is a file of its own, such as `http-second.json`. */
export function readAreaCases(set: Area, folder: string): readonly AreaCase[] {
  const files = readdirSync(folder).filter((file) => file.startsWith(set));
  return files.flatMap((file) => readFile(join(folder, file)));
}

function readFile(path: string): readonly AreaCase[] {
  return JSON.parse(readFileSync(path, 'utf8')) as AreaCase[];
}

/** The score of one case of the areas arithmetic, json and http. */
export function scoreAreaCase(set: Area, one: AreaCase): AreaScore {
  return tally([resultOf(set, one)]);
}

function resultOf(set: Area, one: AreaCase): AreaResult {
  const isSame = set === 'http' ? isSameRequest : isSameValue;
  const outcome = (set === 'http' ? readRequest : readResult)(one);
  const isRight =
    outcome === undefined
      ? one.refuse !== undefined
      : one.refuse === undefined && isSame(one.expect, outcome.value);
  return { one, outcome, isRight };
}

function tally(results: readonly AreaResult[]): AreaScore {
  const failed = results.filter(({ isRight }) => !isRight);
  return {
    total: results.length,
    right: results.length - failed.length,
    wrong: failed.filter(({ outcome }) => outcome !== undefined).length,
    failures: failed.map(
      ({ one: { id, query, expect, refuse }, outcome }) =>
        `${id}: ${query}\n    expected ${JSON.stringify(expect ?? `refusal: ${String(refuse)}`)}\n    got      ${JSON.stringify(outcome?.value ?? 'refusal')}`,
    ),
  };
}

function scoreTools(folder: string): AreaScore {
  const files = readdirSync(folder).filter((file) => file.startsWith('tools'));
  const scores = files.map((file) => scoreSentences(readSentences(file, folder)));
  const failures = scores.flatMap((one) => one.failures);
  return {
    right: scores.reduce((sum, { right }) => sum + right, 0),
    total: scores.reduce((sum, { total }) => sum + total, 0),
    failures,
    wrong: scores.reduce((sum, { wrong }) => sum + wrong, 0),
  };
}

/** The output of the last call of a sentence's plan. */
export function readResult({ query, documents }: Pick<AreaCase, 'query' | 'documents'>): Outcome {
  const run = runPlan(query, KNOWN_TOOLS, documents);
  const last = 'calls' in run ? run.calls.at(-1) : undefined;
  if (last === undefined) return undefined;
  const { toolName, output } = last;
  return { value: toolName === 'json_reader' ? (output as { readonly result: unknown }).result : output };
}

function readRequest({ query }: AreaCase): Outcome {
  try {
    const { steps } = understand(query, KNOWN_TOOLS);
    const [step] = steps;
    if (step === undefined) return undefined;
    return { value: steps.length === 1 && step.toolName === 'api_call' ? step.args : steps };
  } catch (error) {
    if (isPlainEnglishError(error) && error.code === 'QUERY_NOT_UNDERSTOOD') return undefined;
    throw error;
  }
}

export function isSameRequest(wanted: unknown, got: unknown): boolean {
  return isSameValue(canonical(wanted as HttpRequest), canonical(got as HttpRequest));
}

function canonical({ url, method = 'GET', headers = {}, body }: HttpRequest): unknown {
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { url, method: method.toUpperCase(), headers: Object.fromEntries(named) as unknown, body };
}

/** Numbers are the same where they agree to ten digits, as the sets give them. */
export function isSameValue(wanted: unknown, got: unknown): boolean {
  if (typeof wanted === 'number' && typeof got === 'number')
    return Math.abs(wanted - got) <= 1e-9 * Math.max(1, Math.abs(wanted));
  if (typeof wanted !== 'object' || typeof got !== 'object' || wanted === null || got === null)
    return wanted === got;
  const names = new Set([...Object.keys(wanted), ...Object.keys(got)]);
  return (
    Array.isArray(wanted) === Array.isArray(got) &&
    [...names].every((name) =>
      isSameValue((wanted as Record<string, unknown>)[name], (got as Record<string, unknown>)[name]),
    )
  );
}
