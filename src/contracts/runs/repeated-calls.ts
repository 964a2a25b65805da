import { toSortedJson } from '../../base/json/sorted';
import { isJsonObject } from '../json';
import { jsonLength } from '../json-length';
import { isAgentTool } from './agent-calls';
import { isChanging } from './approval-needs';
import type { ToolCall } from './tools';

/** Repeats of calls that change something in one turn, and equal readings in a row, after which a planner is stuck. */
export const MAX_REPEATS = 3;

/** What came of a call that changes something. */
export type FirstOutcome = { readonly output: unknown } | { readonly error: string };

type CallForms = readonly [chosen: ToolCall, approved: ToolCall];

/** The latest call, if it only read. */
interface Reading {
  readonly key: string;
  readonly output: unknown;
  /** How often it was made in a row with this output. */
  readonly count: number;
  /** The number of the plan that asked for it. */
  readonly plan: number;
}

/**
 * Remembers the calls that a planner chose in one turn, so that a call that changes something is made once, and a planner
 * that goes in a circle is noticed. Calls are equal that have the same tool and equal arguments, in any order of properties.
 */
export class RepeatedCalls {
  readonly #changes = new Map<string, FirstOutcome>();
  #repeats = 0;
  #last: Reading | undefined;

  /** What came of the first call that is equal to this one; undefined if none was made, or if it changes nothing. */
  firstOutcome(call: ToolCall): FirstOutcome | undefined {
    return mayChange(call) ? this.#changes.get(keyOf(call)) : undefined;
  }

  /** Counts a call that was answered by the outcome of an earlier one. @returns whether the planner is stuck */
  noteRepeat(): boolean {
    this.#last = undefined;
    this.#repeats += 1;
    return this.#repeats >= MAX_REPEATS;
  }

  /** Remembers a call that failed after it was sent, and may have had its effect. @param forms as in `noteResult` */
  noteFailure(forms: CallForms, error: string): void {
    this.#last = undefined;
    this.#noteChange(forms, { error });
  }

  /**
   * Remembers a call that succeeded.
   * @param forms the call as it was chosen, and as a person has approved it
   * @param plan the number of the plan that asked for it: equal calls of one plan are no circle
   * @returns whether the planner is stuck: it has read the same again and again
   */
  noteResult(forms: CallForms, output: unknown, plan: number): boolean {
    if (this.#noteChange(forms, { output })) {
      this.#last = undefined;
      return false;
    }
    const key = keyOf(forms[0]);
    const last = this.#last;
    const isSame =
      last?.key === key && isEqual(withoutHeaders(forms[0], last.output), withoutHeaders(forms[0], output));
    const count = isSame ? last.count + (last.plan === plan ? 0 : 1) : 1;
    this.#last = { key, output, count, plan };
    return count >= MAX_REPEATS;
  }

  /** @returns whether the call changes something */
  #noteChange(forms: CallForms, outcome: FirstOutcome): boolean {
    const changes = forms.filter(mayChange);
    for (const call of changes) this.#changes.set(keyOf(call), outcome);
    return changes.length > 0;
  }
}

/** Whether a call may change something. The turn of an agent may make calls that do. */
function mayChange(call: ToolCall): boolean {
  return isAgentTool(call.toolName) || isChanging(call);
}

/** Leaves out the headers of a response, which have the time and numbers of the request and so are never the same. */
function withoutHeaders({ toolName, implementation }: ToolCall, output: unknown): unknown {
  if (implementation.kind !== 'builtin' || toolName !== 'api_call' || !isJsonObject(output)) return output;
  const { headers: _, ...same } = output;
  return same;
}

function keyOf({ toolName, args }: ToolCall): string {
  return toSortedJson([toolName, args]);
}

/** Compares the lengths first, since a large output is not parsed before its parts are read. */
function isEqual(one: unknown, other: unknown): boolean {
  return jsonLength(one) === jsonLength(other) && toSortedJson(one) === toSortedJson(other);
}
