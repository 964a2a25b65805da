import { defaultPayloadConverter } from '@temporalio/common';

/** What the server answers to a request that waits for the end of a run that has completed with this result. */
export function completedWith(result: unknown): object {
  const payloads = [defaultPayloadConverter.toPayload(result)];
  return { history: { events: [{ workflowExecutionCompletedEventAttributes: { result: { payloads } } }] } };
}
