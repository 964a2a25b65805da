import type { temporal } from '@temporalio/proto';
import { costOf, priceOf, type RunPrices } from '../../src/contracts/runs/budgets';
import type { RunEvent } from '../../src/contracts/http/run-events';
import { readFirst } from '../payloads/large-values';

type Started = temporal.api.history.v1.IWorkflowExecutionStartedEventAttributes;

/** The workflow types whose input has prices. */
const PRICED: ReadonlySet<string> = new Set([
  'executeToolFromQuery',
  'mcpExecution',
  'queryWorkflow',
  'agentTurn',
  'memoryChatTurn',
]);

/** Whether the input of a run is one that has prices, unless an earlier build started the run. Pure. */
export function hasPrices({ workflowType }: Started): boolean {
  return PRICED.has(workflowType?.name ?? '');
}

/** Reads the prices that a run keeps; undefined for a run without. Pure. */
export function readPrices(started: Started): RunPrices | undefined {
  if (!hasPrices(started)) return undefined;
  return (readFirst(started.input) as { readonly budget?: { readonly prices?: RunPrices } } | undefined)
    ?.budget?.prices;
}

/**
 * What the model call of an event cost by the prices of its run: null if its model has no price, undefined if the
 * event is not that of a model call. Pure.
 */
export function readCost(
  { usage, provider, model = '' }: Pick<RunEvent, 'usage' | 'provider' | 'model'>,
  prices: RunPrices | undefined,
): number | null | undefined {
  if (usage === undefined || prices === undefined) return undefined;
  // A classification names its model alone.
  const isBuiltin = provider === 'builtin' || model === 'builtin';
  return costOf(usage, priceOf({ provider: isBuiltin ? 'builtin' : 'hosted', model }, prices));
}
