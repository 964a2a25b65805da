import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import {
  type StartChildWorkflowExecutionInput,
  workflowInfo,
  type WorkflowInterceptors,
  type WorkflowOutboundCallsInterceptor,
} from '@temporalio/workflow';
import { DEPTH_FIELD } from '../src/contracts/runs/call-depth';
import { BOOKKEEPING, nameSummary } from '../src/contracts/runs/summaries';

/** What is used of an activity that is scheduled. */
interface NamedActivity {
  readonly activityType: string;
  readonly args: unknown[];
  readonly options: { readonly summary?: string };
  readonly headers: Headers;
}

/** What the first argument of an activity says about the calls that it runs. */
interface NamedInput {
  /** The name of a call within its run. */
  readonly step?: unknown;
  readonly following?: { readonly calls: readonly NamedInput[] };
}

/**
 * Puts the id of its step before the summary of each activity, as the run's log names the step. The SDK calls the factory for each
 * run, so the numbers of activities without a name are those of one run; where a run continues as new they begin anew. The functions return the promise of `next` itself: a
 * further microtask would change the order of calls that end together.
 */
export function interceptors(): WorkflowInterceptors {
  const numbers = new Map<string, number>();
  /** A local activity that is tried again after a timer is scheduled with the same list of arguments. */
  const known = new WeakMap<readonly unknown[], string>();

  function idOf(activityType: string, args: readonly unknown[]): string {
    const before = known.get(args);
    if (before !== undefined) return before;
    const named = namesIn(args[0]);
    const number = (numbers.get(activityType) ?? 0) + 1;
    if (named.length === 0) numbers.set(activityType, number);
    const id = named.length === 0 ? `${activityType}-${number}` : named.join(', ');
    known.set(args, id);
    return id;
  }

  function named<T extends NamedActivity>(input: T): T {
    const { activityType, args, options } = input;
    if (BOOKKEEPING.has(activityType)) return input;
    const summary = nameSummary(idOf(activityType, args), options.summary);
    return { ...input, options: { ...options, summary } };
  }

  const outbound: WorkflowOutboundCallsInterceptor = {
    scheduleActivity: (input, next) => next(withDepth(named(input))),
    scheduleLocalActivity: (input, next) => next(withDepth(named(input))),
    startChildWorkflowExecution: (input, next) => next(childWithDepth(input)),
  };
  return { outbound: [outbound] };
}

/** Adds to an activity how many model calls its run is within. */
function withDepth<T extends NamedActivity>(input: T): T {
  const depth = workflowInfo().memo?.[DEPTH_FIELD];
  if (depth === undefined) return input;
  return {
    ...input,
    headers: { ...input.headers, [DEPTH_FIELD]: defaultPayloadConverter.toPayload(depth) },
  };
}

/** A child run is within as many model calls as its parent. */
function childWithDepth(input: StartChildWorkflowExecutionInput): StartChildWorkflowExecutionInput {
  const depth = workflowInfo().memo?.[DEPTH_FIELD];
  if (depth === undefined) return input;
  const { options } = input;
  return { ...input, options: { ...options, memo: { ...options.memo, [DEPTH_FIELD]: depth } } };
}

/** The names of the calls that an activity runs; empty for an activity whose input has none. */
function namesIn(input: unknown): string[] {
  const calls = (Array.isArray(input) ? input : [input]) as readonly (NamedInput | null | undefined)[];
  return calls.flatMap((call) => {
    if (typeof call?.step !== 'string') return [];
    return [call.step, ...(call.following?.calls ?? []).flatMap(namesIn)];
  });
}
