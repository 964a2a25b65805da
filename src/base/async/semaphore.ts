import { untilAborted } from './time-limit';

/** A number of places for each key, such as for each caller. A key without users takes no memory. */
export class PlacesByKey {
  readonly #places = new Map<string, { readonly semaphore: Semaphore; users: number }>();
  readonly #perKey: number;

  constructor(perKey: number) {
    this.#perKey = perKey;
  }

  /**
   * Takes a place of a key. It waits in the order of the calls.
   * @returns what gives the place back
   * @throws the reason of the signal, if it aborts before a place is free
   */
  async take(key: string, signal: AbortSignal): Promise<() => void> {
    const entry = this.#places.get(key) ?? { semaphore: new Semaphore(this.#perKey), users: 0 };
    this.#places.set(key, entry);
    entry.users += 1;
    const forget = (): void => {
      entry.users -= 1;
      if (entry.users === 0) this.#places.delete(key);
    };
    try {
      const leave = await takePlace(entry.semaphore, signal);
      return () => {
        leave();
        forget();
      };
    } catch (error) {
      forget();
      throw error;
    }
  }
}

/** Lets a limited number of tasks run at once; further tasks wait in the order in which they came. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(permits: number) {
    this.#free = permits;
  }

  /** Runs `work` as soon as a permit is free. @throws any error of `work` */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((begin) => this.#waiting.push(begin));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}

/**
 * Takes a permit of a semaphore for longer than one function runs.
 * @returns what gives the permit back
 * @throws the reason of the signal, if it aborts before a permit is free
 */
export async function takePlace(places: Semaphore, signal: AbortSignal): Promise<() => void> {
  const taken = new Promise<() => void>((resolve) => {
    void places.run(() => new Promise<void>(resolve));
  });
  try {
    return await untilAborted(taken, signal);
  } catch (error) {
    void taken.then((leave) => leave());
    throw error;
  }
}
