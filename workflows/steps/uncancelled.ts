import { CancelledFailure } from '@temporalio/common';
import { CancellationScope } from '@temporalio/workflow';

/**
 * Starts a local activity that is not cancelled with its scope. Such an activity ends within milliseconds, and the SDK must not be
 * asked to cancel one that has ended: it fails the workflow task, and each repeat of it, if it knows the end and has not
 * reported it to the workflow yet. This is no async function, because each microtask may change the order of calls that end
 * together.
 * @throws CancelledFailure if the scope is cancelled already
 */
export function startUncancelled<T>(start: () => Promise<T>): Promise<T> {
  throwIfCancelled();
  let started: Promise<T> | undefined;
  const inScope = CancellationScope.nonCancellable(() => (started = start()));
  // The caller waits for the activity itself.
  inScope.catch(() => undefined);
  return started ?? inScope;
}

/** Ends a call whose scope was cancelled while its local activity ran. @throws CancelledFailure */
export function throwIfCancelled(): void {
  if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('The run was cancelled');
}
