import type { Answer } from './http';
import type { Api, Stage } from './stage';
import { waitFor } from './wait';

export interface RunIds {
  readonly traceId: string;
  readonly workflowId: string;
}

/** The answer of a request that did not wait for its run. */
export interface AcceptedRun extends RunIds {
  readonly status: string;
}

/** Starts a run without waiting for it. */
export async function startRun(
  { post }: Pick<Api, 'post'>,
  path: string,
  body: unknown,
): Promise<AcceptedRun> {
  const { status, text, body: answer } = await post(path, body, { prefer: 'respond-async' });
  if (status !== 202) throw new Error(`status ${status}: ${text}`);
  return answer.data as AcceptedRun;
}

/** Asks to stop a run, named by its workflow id too, so that it is found at once. */
export function stopRun(
  { post }: Pick<Api, 'post'>,
  how: 'cancel' | 'terminate',
  { traceId, workflowId }: RunIds,
  body?: unknown,
): Promise<Answer> {
  return post(`/api/runs/${traceId}/${how}?workflowId=${encodeURIComponent(workflowId)}`, body);
}

/** The record of a run that has ended. */
export function endedRun({ get }: Pick<Api, 'get'>, { traceId, workflowId }: RunIds): Promise<Answer> {
  return waitFor(
    async () => {
      const answer = await get(`/api/runs/${traceId}?workflowId=${encodeURIComponent(workflowId)}`);
      return answer.status === 200 && answer.body.data.closedAt !== null ? answer : undefined;
    },
    { what: `the run ${workflowId} to end` },
  );
}

/** Waits until a worker has taken the step of a run. */
export async function stepTaken({ client }: Stage, { workflowId }: RunIds): Promise<void> {
  await waitFor(
    async () => {
      const { raw } = await client.workflow.getHandle(workflowId).describe();
      return raw.pendingActivities?.some(({ lastStartedTime }) => lastStartedTime != null) === true;
    },
    { what: `a worker to take a step of ${workflowId}` },
  );
}
