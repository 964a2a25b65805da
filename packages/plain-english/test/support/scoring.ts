import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPlainEnglishError } from '../../src/errors';
import { KNOWN_TOOLS } from '../../src/known-tools';
import { understand } from '../../src/plan/understand';
import type { ToolDescription } from '../../src/types';
import { runPlan, type Documents } from './plan-runs';

/** `refused` is a refusal when a result is wanted; `wrong` is any other result than the wanted one. */
export type Verdict = 'right' | 'refused' | 'wrong';
export type Counts = Readonly<Record<Verdict, number>>;

interface ValueCase {
  readonly query: string;
  readonly documents?: Documents;
  readonly expect?: unknown;
  /** Why the sentence is to be refused, in place of `expect`. */
  readonly refuse?: string;
}

export interface ExpectedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

interface CallCase {
  readonly query: string;
  readonly expect: readonly ExpectedCall[] | { readonly error: string };
}

/** The cases of a file in JSON Lines, of the shape that the caller knows. */
export function readLines(...path: readonly string[]): readonly never[] {
  const lines = readFileSync(join(__dirname, '..', ...path), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as never);
}

export function countVerdicts(verdicts: readonly Verdict[]): Counts {
  const counts = { right: 0, refused: 0, wrong: 0 };
  for (const verdict of verdicts) counts[verdict] += 1;
  return counts;
}

/** Whether a sentence comes to the wanted value. */
export function judgeValue({ query, documents, expect, refuse }: ValueCase): Verdict {
  const outcome = runPlan(query, KNOWN_TOOLS, documents);
  if ('refused' in outcome) return refuse === undefined ? 'refused' : 'right';
  return refuse === undefined && isSameValue(expect, outcome.value) ? 'right' : 'wrong';
}

/** Whether a sentence asks for the wanted request and for nothing else. */
export function judgeRequest({ query, expect, refuse }: ValueCase): Verdict {
  const calls = planOf(query, KNOWN_TOOLS);
  if (calls === undefined) return refuse === undefined ? 'refused' : 'right';
  const [call, other] = calls;
  const isRequest = refuse === undefined && call?.tool === 'api_call' && other === undefined;
  return isRequest && isSameRequest(expect, call.args) ? 'right' : 'wrong';
}

/** Whether a sentence asks for the wanted calls; those of the calculator are right if they end in the same number. */
export function judgeCalls({ query, expect }: CallCase, tools: readonly ToolDescription[]): Verdict {
  const calls = planOf(query, [...KNOWN_TOOLS, ...tools]);
  if (!isCalls(expect)) return calls === undefined ? 'right' : 'wrong';
  if (calls === undefined) return 'refused';
  const isSame =
    expect.length === calls.length && expect.every((call, at) => canonical(call) === canonical(calls[at]));
  const [wanted, got] = [numberOf(expect), numberOf(calls)];
  return isSame || (wanted !== undefined && isSameValue(wanted, got)) ? 'right' : 'wrong';
}

function isCalls(expect: CallCase['expect']): expect is readonly ExpectedCall[] {
  return Array.isArray(expect);
}

/** @returns undefined if the sentence is refused */
export function planOf(
  query: string,
  tools: readonly ToolDescription[],
): readonly ExpectedCall[] | undefined {
  try {
    return understand(query, tools).steps.map(({ toolName, args }) => ({ tool: toolName, args }));
  } catch (error) {
    if (isPlainEnglishError(error)) return undefined;
    throw error;
  }
}

function canonical(call: ExpectedCall | undefined): string {
  const args: Record<string, unknown> = { ...call?.args };
  if (call?.tool === 'api_call') args['method'] = String(args['method'] ?? 'GET').toUpperCase();
  if (args['operation'] === 'add' || args['operation'] === 'multiply') {
    const [a, b] = [String(args['a']), String(args['b'])].sort();
    Object.assign(args, { a, b });
  }
  return JSON.stringify([call?.tool, normal(args)]);
}

/** Keys in order, texts without regard to case and outer white space. */
function normal(value: unknown): unknown {
  if (typeof value === 'string') return value.trim().toLowerCase();
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, normal(item)]));
}

/** The number in which calculations end; undefined for other calls. */
function numberOf(calls: readonly ExpectedCall[]): number | undefined {
  const results: number[] = [];
  for (const { tool, args } of calls) {
    if (tool !== 'calculator') return undefined;
    const [a = 0, b = 0] = [args['a'], args['b']].map((value) => {
      const step = /^\{\{(\d+)\}\}$/.exec(String(value))?.[1];
      return step === undefined ? Number(value) : (results[Number(step) - 1] ?? Number.NaN);
    });
    results.push(
      { add: a + b, subtract: a - b, multiply: a * b, divide: a / b }[String(args['operation'])] ?? 0,
    );
  }
  return results.at(-1);
}

export function isSameRequest(wanted: unknown, got: unknown): boolean {
  return isSameValue(normalRequest(wanted), normalRequest(got));
}

function normalRequest(request: unknown): unknown {
  type Request = Readonly<{ url: string; method?: string; headers?: Record<string, string>; body?: unknown }>;
  const { url, method = 'GET', headers = {}, body } = request as Request;
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { url, method: method.toUpperCase(), headers: Object.fromEntries(named) as unknown, body };
}

/** Numbers are the same if they agree to ten digits, as the sets give them. */
export function isSameValue(wanted: unknown, got: unknown): boolean {
  if (typeof wanted === 'number' && typeof got === 'number')
    return Math.abs(wanted - got) <= 1e-9 * Math.max(1, Math.abs(wanted));
  if (typeof wanted !== 'object' || typeof got !== 'object' || wanted === null || got === null)
    return wanted === got;
  const [one, other] = [wanted as Record<string, unknown>, got as Record<string, unknown>];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return (
    Array.isArray(wanted) === Array.isArray(got) &&
    [...names].every((name) => isSameValue(one[name], other[name]))
  );
}
