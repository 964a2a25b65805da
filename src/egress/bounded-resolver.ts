import { startTimeLimit, untilAborted } from '../base/async/time-limit';
import type { RunOwner } from '../contracts/runs/run-owner';
import { nameError } from './ask-servers';
import type { ResolvedAddress, Resolver } from './resolver';
import { PlacesByKey } from '../base/async/semaphore';

export interface BoundedResolverOptions {
  /** Finds the addresses of a name. Its place is taken until it settles, which it should do soon after the signal aborts. */
  readonly find: (name: string, signal: AbortSignal) => Promise<readonly ResolvedAddress[]>;
  /** The maximum number of look-ups at once of those who have the same key. Further ones wait in order. */
  readonly maxAtOnce: number;
  readonly keyOf: (owner: RunOwner) => string;
  /** The maximum time of a look-up that has its place, milliseconds. */
  readonly limitMs: number;
}

/** A look-up that one or more calls of the same caller wait for. */
interface Flight {
  readonly addresses: Promise<readonly ResolvedAddress[]>;
  readonly stop: AbortController;
  waiting: number;
}

/**
 * Creates a resolver that bounds the look-ups of each caller. Calls of one caller that need the same name at the same time share a
 * look-up, which ends when the last of them has ended. Nothing is kept, so a name is looked up again for the next connection.
 */
export function createBoundedResolver(options: BoundedResolverOptions): Resolver {
  const { find, maxAtOnce, keyOf, limitMs } = options;
  const places = new PlacesByKey(maxAtOnce);
  const flights = new Map<string, Flight>();

  async function findInTurn(
    name: string,
    key: string,
    signal: AbortSignal,
  ): Promise<readonly ResolvedAddress[]> {
    const leave = await places.take(key, signal);
    const timedOut = (): Error => nameError('EAI_AGAIN', name, `no answer within ${limitMs} ms`);
    const limit = startTimeLimit({ signal, timeoutMs: limitMs, timedOut });
    const work = find(name, limit.signal).finally(leave);
    try {
      return await untilAborted(work, limit.signal);
    } finally {
      limit.end();
    }
  }

  function start(name: string, key: string, flightKey: string): Flight {
    const stop = new AbortController();
    const addresses = findInTurn(name, key, stop.signal);
    const flight = { addresses, stop, waiting: 0 };
    flights.set(flightKey, flight);
    const forget = (): void => {
      if (flights.get(flightKey) === flight) flights.delete(flightKey);
    };
    addresses.then(forget, forget);
    return flight;
  }

  return async (name, { owner, signal = NEVER }) => {
    const key = keyOf(owner);
    const flightKey = JSON.stringify([key, name]);
    const flight = flights.get(flightKey) ?? start(name, key, flightKey);
    flight.waiting += 1;
    try {
      return await untilAborted(flight.addresses, signal);
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0) {
        if (flights.get(flightKey) === flight) flights.delete(flightKey);
        flight.stop.abort(new Error(`no call waits for ${name} any more`));
      }
    }
  };
}

const NEVER = new AbortController().signal;
