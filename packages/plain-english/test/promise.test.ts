import { isPlainEnglishError } from '../src/errors';
import { KNOWN_TOOLS } from '../src/known-tools';
import { understand } from '../src/plan/understand';
import type { ToolDescription, ToolParameter } from '../src/types';
import { runPlan } from './support/plan-runs';
import { countVerdicts, isSameRequest, isSameValue, readLines, type Verdict } from './support/scoring';

interface Call {
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
}

interface Case {
  readonly id: string;
  readonly area: 'calculation' | 'tools' | 'http' | 'json';
  readonly query: string;
  readonly tools?: readonly string[];
  readonly result?: unknown;
  readonly call?: Call;
  readonly calls?: readonly Call[];
}

const linesOf = (file: string): readonly never[] => readLines('promise', file);

/** A tool as its author writes it: a parameter is required unless it says otherwise. */
function readTools(file: string): ToolDescription[] {
  type Written = Omit<ToolDescription, 'parameters'> & { parameters: Record<string, Partial<ToolParameter>> };
  return (linesOf(file) as readonly Written[]).map(({ parameters, ...tool }) => ({
    ...tool,
    parameters: Object.fromEntries(
      Object.entries(parameters).map(([name, parameter]) => [
        name,
        { type: 'string', description: '', required: true, ...parameter },
      ]),
    ),
  }));
}

const TOOLS: Readonly<Record<string, readonly ToolDescription[]>> = {
  A: readTools('tools-a.jsonl'),
  B: readTools('tools-b.jsonl'),
};

/** The calls of a sentence; undefined: it was refused. */
function planOf({ id, query, tools = [] }: Case): readonly Call[] | undefined {
  const own = (TOOLS[id[0] as string] ?? []).filter(({ name }) => tools.includes(name));
  try {
    return understand(query, [...KNOWN_TOOLS, ...own]).steps;
  } catch (error) {
    if (isPlainEnglishError(error)) return undefined;
    throw error;
  }
}

/** Whether two calls are the same, whatever a call that takes the result before it calls that. */
function isSameCall(wanted: Call, got: Call | undefined): boolean {
  if (wanted.toolName !== got?.toolName) return false;
  if (wanted.toolName === 'api_call' && wanted.args['body'] !== '{{previous_result}}')
    return isSameRequest(wanted.args, got.args);
  return Object.entries(wanted.args).every(([name, value]) =>
    value === '{{previous_result}}'
      ? /^\{\{\d+/.test(String(got.args[name]))
      : isSameValue(value, got.args[name]),
  );
}

function judge(one: Case): Verdict {
  const wanted = one.calls ?? (one.call === undefined ? undefined : [one.call]);
  if (one.area === 'calculation' || one.area === 'json') {
    const outcome = runPlan(one.query, KNOWN_TOOLS);
    if ('refused' in outcome) return one.result === undefined ? 'right' : 'refused';
    return one.result !== undefined && isSameValue(one.result, outcome.value) ? 'right' : 'wrong';
  }
  const got = planOf(one);
  if (got === undefined) return wanted === undefined ? 'right' : 'refused';
  const isSame = wanted?.length === got.length && wanted.every((call, index) => isSameCall(call, got[index]));
  return isSame ? 'right' : 'wrong';
}

/** The scores so far. A better one replaces them. */
test.each([
  ['calculation', { right: 58, refused: 2, wrong: 0 }],
  ['tools', { right: 60, refused: 0, wrong: 0 }],
  ['http', { right: 50, refused: 0, wrong: 0 }],
  ['json', { right: 30, refused: 0, wrong: 0 }],
] as const)('of the sentences about %s as many as before are understood', (area, expected) => {
  const verdicts = (linesOf('calls.jsonl') as readonly Case[]).filter((one) => one.area === area).map(judge);
  expect(countVerdicts(verdicts)).toEqual(expected);
});
