import { beforeNext } from './connections.js';
import { HoldfastRunError, successOf } from './errors.js';
import { follow, streamOptions } from './follow.js';
import type { ApiPaths, Operations, Run, RunEvent, RunSign } from './types.js';

/** A trace id, or what names a run in an answer. With its workflow id a run is found at once. */
export type RunName = string | { readonly traceId: string; readonly workflowId?: string };

export interface WaitOptions {
  readonly signal?: AbortSignal;
}

export interface FollowOptions extends WaitOptions {
  /** The `sequence` of the last event that was read; absent: all events come. */
  readonly after?: number;
}

export interface RunHandle {
  readonly traceId: string;
  /** Waits until the run has ended, however it ends, across connections that fail. @returns its record @throws HoldfastApiError */
  wait(options?: WaitOptions): Promise<Run>;
  /** Waits for the result of the run. @throws HoldfastRunError if it ends without one; HoldfastApiError */
  result(options?: WaitOptions): Promise<unknown>;
  /** The events of the run from its first to its last, across connections that are cut. @throws HoldfastApiError */
  events(options?: FollowOptions): AsyncGenerator<RunEvent | RunSign, void>;
  /** Cancels the run. @throws HoldfastApiError */
  cancel(): Promise<void>;
}

/** Seconds that one request waits. */
const WAIT_SECONDS = 50;

export function createRunHandle(operations: Operations<ApiPaths>, name: RunName): RunHandle {
  const { traceId, workflowId } =
    typeof name === 'string' ? { traceId: name } : { workflowId: undefined, ...name };
  const path = { traceId };

  async function wait({ signal }: WaitOptions = {}): Promise<Run> {
    for (let failures = 0; ;) {
      try {
        const answer = await operations.GET('/api/runs/{traceId}/wait', {
          params: { path, query: { timeout: WAIT_SECONDS, workflowId } },
          signal,
        });
        const { data } = successOf(answer);
        if (answer.response.status !== 202) return data;
        failures = 0;
      } catch (error) {
        failures += 1;
        await beforeNext(error, failures, { signal });
      }
    }
  }

  return {
    traceId,
    wait,
    async result(options) {
      const { status, result, error } = await wait(options);
      if (status === 'completed') return result;
      throw new HoldfastRunError(traceId, status, error);
    },
    events: ({ after: first, signal } = {}) =>
      follow(
        (after = first === undefined ? undefined : String(first)) =>
          operations.GET('/api/runs/{traceId}/events', {
            params: { path, query: { workflowId } },
            ...streamOptions(after, signal),
          }),
        signal,
      ),
    async cancel() {
      successOf(await operations.POST('/api/runs/{traceId}/cancel', { params: { path }, body: {} }));
    },
  };
}
