import { Semaphore, takePlace } from '../base/async/semaphore';
import { startTimeLimit } from '../base/async/time-limit';
import type { ProviderName } from '../contracts/http/llm';
import { NotSentError } from './answer-errors';
import type { LlmProvider, PlaceWait } from './provider';

/** The places of the calls that a process makes to one model server at once. Further calls wait in their order. */
export interface CallQueue {
  /**
   * Runs a call as soon as a place is free.
   * @throws what `call` throws; `NotSentError`, details `{ provider, model, timeout, waiting }`, if none became free in
   * time; the signal's reason
   */
  run<T>(provider: ProviderName, wait: PlaceWait, call: () => Promise<T>): Promise<T>;
}

/**
 * Creates the queue of a model server.
 * @param findLimit how many requests the server works on at once; undefined if that is not known, so that none waits. It is
 * asked until it is known
 */
export function createCallQueue(findLimit: () => Promise<number | undefined>): CallQueue {
  let places: { readonly semaphore: Semaphore; readonly limit: number } | undefined;
  let waiting = 0;

  async function enter(
    provider: ProviderName,
    { model, signal, timeoutMs, maxWaitMs = timeoutMs }: PlaceWait,
  ): Promise<() => void> {
    if (places === undefined) {
      const limit = await findLimit();
      if (limit === undefined) return () => undefined;
      // Another call may have found it meanwhile.
      places ??= { semaphore: new Semaphore(limit), limit };
    }
    const { semaphore, limit } = places;
    const before = waiting;
    const wait = startTimeLimit({
      signal,
      timeoutMs: maxWaitMs,
      timedOut: () => notSent({ provider, model, timeout: maxWaitMs, waiting: before }, limit),
    });
    waiting += 1;
    try {
      return await takePlace(semaphore, wait.signal);
    } finally {
      waiting -= 1;
      wait.end();
    }
  }

  return {
    async run(provider, wait, call) {
      const leave = await enter(provider, wait);
      try {
        return await call();
      } finally {
        leave();
      }
    },
  };
}

// A type and not an interface, so that it is a record.
type NotSent = {
  readonly provider: ProviderName;
  readonly model: string | undefined;
  /** How long it waited, milliseconds. */
  readonly timeout: number;
  /** How many calls waited before it when it came. */
  readonly waiting: number;
};

function notSent(details: NotSent, limit: number): NotSentError {
  const { provider, timeout, waiting } = details;
  const calls = limit === 1 ? 'one call' : `${limit} calls`;
  const message =
    `The model provider "${provider}" was not asked: it takes ${calls} at once (LLM_MAX_CONCURRENT), ` +
    `${waiting} waited before this one, and no place was free within ${Math.round(timeout)} ms`;
  return new NotSentError(message, { details });
}

/** A provider whose calls wait for a place of a queue. The time of a call begins when it has one. */
export function queuedProvider(provider: LlmProvider, queue: CallQueue): LlmProvider {
  const { name } = provider;
  return {
    ...provider,
    chat: (request, context) =>
      queue.run(name, { ...context, model: request.model }, () => provider.chat(request, context)),
    structured: (request, context) =>
      queue.run(name, { ...context, model: request.model }, () => provider.structured(request, context)),
    chooseTools: (request, context) =>
      queue.run(name, { ...context, model: request.model }, () => provider.chooseTools(request, context)),
    inPlace: (wait, work) => queue.run(name, wait, () => work(provider)),
  };
}
