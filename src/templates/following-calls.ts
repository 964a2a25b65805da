import type { StepOutcome } from '../contracts/http/workflows';
import { jsonLength } from '../contracts/json-length';
import { isInlineCall } from '../contracts/runs/calls';
import type { SettledToolStep, ToolCall, ToolStep, ToolStepResult } from '../contracts/runs/tools';
import { ComparisonWork } from './comparison-work';
import { ConditionError } from './condition';
import { holds } from './evaluate-condition';
import { previousResultScope } from './previous-result';
import { TemplateReferenceError, type TemplateScope } from './resolve';
import { resolveCall } from './resolved-arguments';
import { workflowReference, type WorkflowValues } from './workflow-scope';

/** A call that may run in the activity of the inline call before it. Its templates are not resolved. */
export interface FollowingCall {
  readonly call: ToolCall;
  /** Name of the call within the run; in a custom workflow the id of its step. */
  readonly step: string;
  /** The condition of the step of a custom workflow. */
  readonly when?: string;
}

/** The calls that may follow, in order. */
export interface FollowingCalls {
  readonly calls: readonly FollowingCall[];
  /** What templates of a custom workflow refer to, apart from the calls themselves; absent in a sequence. */
  readonly values?: Pick<WorkflowValues, 'inputs' | 'outcomes' | 'runId'>;
}

/** Input of an activity that runs an inline call and those that follow. */
export interface LeadingStep extends ToolStep {
  readonly following?: FollowingCalls;
}

/** Output of such an activity. */
export interface LeadingResult extends ToolStepResult {
  /** The outcomes of the calls that followed, in order, up to and with the first failure. */
  readonly following?: readonly FollowingOutcome[];
}

export type FollowingOutcome = SettledToolStep & { readonly step: string };

/** An activity takes up to this number of following calls, so that it ends within milliseconds. */
const MAX_FOLLOWING = 15;
/** Characters of JSON of what follows, of the values for it, and of the results that others may follow. */
export const MAX_FOLLOWING_LENGTH = 8_192;
/** Characters that references may add to a call. A call that takes more is left to the workflow and its byte budget. */
const MAX_INSERTED_HERE = 16_384;
/** Work of one condition. A condition that takes more is left to the workflow. */
const MAX_COMPARED_HERE = 65_536;

/**
 * Takes from the front the calls that seem to be inline as they are written. Whether they are shows when their
 * templates are resolved.
 * @returns undefined if no call may follow
 */
export function takeFollowing(calls: readonly FollowingCall[]): FollowingCalls | undefined {
  const taken: FollowingCall[] = [];
  let length = 0;
  for (const following of calls.slice(0, MAX_FOLLOWING)) {
    length += jsonLength(following, MAX_FOLLOWING_LENGTH);
    if (length > MAX_FOLLOWING_LENGTH || !isInlineCall(following.call)) break;
    taken.push(following);
  }
  return taken.length === 0 ? undefined : { calls: taken };
}

/** Resolves following calls one after another, each with the results before it, as their workflow does. */
export class FollowingCallResolver {
  readonly #values: FollowingCalls['values'];
  readonly #outcomes: Record<string, StepOutcome>;
  #previous: { readonly step: string; readonly result: unknown } | undefined;
  #length = 0;

  constructor({ values }: FollowingCalls) {
    this.#values = values;
    this.#outcomes = { ...values?.outcomes };
  }

  /** Notes the result of a call for those behind it. @returns false if no call may follow any more */
  note(step: string, output: unknown): boolean {
    const json = JSON.stringify(output ?? null);
    this.#length += json.length;
    // The workflow has the result as JSON has it.
    this.#noteOutcome(step, 'completed', JSON.parse(json));
    return this.#length <= MAX_FOLLOWING_LENGTH;
  }

  /**
   * @returns the call to run; `skipped` if its condition is false; undefined if the workflow has to continue from
   *   this call, because it is not inline or cannot be resolved
   */
  resolve({ call, step, when }: FollowingCall): ToolCall | 'skipped' | undefined {
    try {
      if (when !== undefined && !this.#holds(when, step)) {
        this.#noteOutcome(step, 'skipped', null);
        return 'skipped';
      }
      const scope: TemplateScope = (expression) =>
        this.#values === undefined
          ? previousResultScope(this.#previous?.result)(expression)
          : workflowReference(expression, this.#scope(this.#values, step));
      const resolved = resolveCall(call, scope, MAX_INSERTED_HERE);
      return isInlineCall(resolved) ? resolved : undefined;
    } catch (error) {
      // The workflow finds the same error, and reports it.
      if (error instanceof TemplateReferenceError || error instanceof ConditionError) return undefined;
      throw error;
    }
  }

  #holds(when: string, step: string): boolean {
    const values = this.#scope(this.#values ?? { inputs: {}, outcomes: {} }, step);
    return holds(
      when,
      (expression) => workflowReference(expression, values),
      new ComparisonWork(MAX_COMPARED_HERE),
    );
  }

  #scope({ inputs, runId }: Pick<WorkflowValues, 'inputs' | 'runId'>, stepId: string): WorkflowValues {
    return { inputs, outcomes: this.#outcomes, previous: this.#previous?.step, runId, stepId };
  }

  #noteOutcome(step: string, status: StepOutcome['status'], result: unknown): void {
    this.#outcomes[step] = { status, result, executionTime: 0 };
    this.#previous = { step, result };
  }
}
