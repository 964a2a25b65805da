import { usesMemory, usesTools } from '../../contracts/intent-types';
import type { ExecutionPlan, Intent } from '../../contracts/http/intents';

/** Mean time of past runs of tools by name, milliseconds; tools that never ran are left out. */
export type ToolTimes = (names: readonly string[]) => Promise<ReadonlyMap<string, number>>;

/** The estimate for a tool without past runs, milliseconds. */
const TOOL_MS = 250;
const MEMORY_SEARCH_MS = 30;
const ANSWER_MS = { builtin: 5, model: 1_500 };

/** Maximum number of steps of a simple and of a moderate plan. */
const MAX_SIMPLE = 2;
const MAX_MODERATE = 3;

interface Step {
  readonly what: string;
  readonly timeMs: number;
}

/** Plans the steps that answer a query of this intent, one after another. @throws what `toolTimes` throws */
export async function planExecution(
  { type, requiredTools }: Pick<Intent, 'type' | 'requiredTools'>,
  answeredBy: keyof typeof ANSWER_MS,
  toolTimes: ToolTimes,
): Promise<ExecutionPlan> {
  const steps: Step[] = [];
  if (usesMemory(type)) {
    const what = type === 'knowledge_search' ? 'search knowledge' : 'search memory';
    steps.push({ what, timeMs: MEMORY_SEARCH_MS });
  }
  if (usesTools(type)) {
    const times = await toolTimes(requiredTools);
    const runs = requiredTools.map((name) => ({ what: `run ${name}`, timeMs: times.get(name) ?? TOOL_MS }));
    steps.push(...(runs.length > 0 ? runs : [{ what: 'choose and run a tool', timeMs: TOOL_MS }]));
  }
  steps.push({ what: 'answer', timeMs: ANSWER_MS[answeredBy] });
  const estimated = steps.reduce((sum, { timeMs }) => sum + timeMs, 0);
  return {
    steps: steps.map(({ what }) => what),
    estimatedTime: Math.round(estimated * 1_000) / 1_000,
    complexity: rateComplexity(steps.length),
  };
}

function rateComplexity(steps: number): ExecutionPlan['complexity'] {
  if (steps <= MAX_SIMPLE) return 'simple';
  return steps <= MAX_MODERATE ? 'moderate' : 'complex';
}
