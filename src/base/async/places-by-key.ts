import { Semaphore } from './semaphore';
import { takePlace } from './take-place';

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
