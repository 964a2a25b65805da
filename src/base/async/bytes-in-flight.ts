import { HoldfastError } from '../errors';

/** A request waits up to this long for other large values, ms, and is refused after it. */
const MAX_WAIT_MS = 5_000;
/** How many wait at once. Further ones are refused at once. */
const MAX_WAITING = 200;
const RETRY_AFTER_MS = 1_000;
/** No caller has more than this share, so that the others never wait for one caller. */
const MAX_SHARE = 0.5;

export interface Taking {
  /** Who the work is for. Callers take turns. */
  readonly caller: string;
  readonly bytes: number;
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /** How long to wait, ms; default 5,000. With `Infinity` only the signal ends the wait, and nothing is refused. */
  readonly waitMs?: number;
}

interface Waiting {
  readonly bytes: number;
  begin(): void;
}

/**
 * Limits the bytes of large values that a process works on at once, for all callers together. Work that needs more than
 * there is runs alone. Callers take turns, each in the order of its requests.
 */
export class BytesInFlight {
  readonly #max: number;
  #taken = 0;
  #waitingCount = 0;
  readonly #takenBy = new Map<string, number>();
  /** By caller; the caller that is served next comes first. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Bytes that are taken at the moment. */
  get taken(): number {
    return this.#taken;
  }

  /**
   * Takes bytes as soon as there are enough.
   * @returns what gives them back; further calls of it do nothing
   * @throws HoldfastError `SERVICE_BUSY` where too many wait or the wait is over; the reason of the signal
   */
  async take({ caller, bytes, signal, waitMs = MAX_WAIT_MS }: Taking): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#waitingCount > 0 || !this.#fits(caller, bytes)) {
      if (waitMs < Infinity && this.#waitingCount >= MAX_WAITING) throw tooBusy();
      await this.#wait(caller, bytes, signal, waitMs);
    } else this.#add(caller, bytes);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#add(caller, -bytes);
      this.#serve();
    };
  }

  #wait(caller: string, bytes: number, signal: AbortSignal, waitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.#waitingCount -= 1;
        const own = (this.#waiting.get(caller) ?? []).filter((one) => one !== waiting);
        if (own.length === 0) this.#waiting.delete(caller);
        else this.#waiting.set(caller, own);
      };
      const giveUp = (reason: Error): void => {
        leave();
        reject(reason);
        // The one that gave up may have kept others back.
        this.#serve();
      };
      const onAbort = (): void => giveUp(signal.reason as Error);
      const timer = waitMs < Infinity ? setTimeout(() => giveUp(tooBusy()), waitMs) : undefined;
      const waiting: Waiting = {
        bytes,
        begin: () => {
          leave();
          resolve();
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waitingCount += 1;
      this.#waiting.set(caller, [...(this.#waiting.get(caller) ?? []), waiting]);
      this.#serve();
    });
  }

  /** Lets those begin that fit, the callers in turn. A caller at its share does not keep the others back. */
  #serve(): void {
    for (const [caller, [first]] of this.#waiting) {
      if (first === undefined || this.#isAtShare(caller, first.bytes)) continue;
      // Smaller work of others must not overtake for ever what needs much.
      if (!this.#fits(caller, first.bytes)) return;
      this.#add(caller, first.bytes);
      first.begin();
      const rest = this.#waiting.get(caller);
      if (rest !== undefined) {
        this.#waiting.delete(caller);
        this.#waiting.set(caller, rest);
      }
      return this.#serve();
    }
  }

  #fits(caller: string, bytes: number): boolean {
    return this.#taken === 0 || (this.#taken + bytes <= this.#max && !this.#isAtShare(caller, bytes));
  }

  #isAtShare(caller: string, bytes: number): boolean {
    const own = this.#takenBy.get(caller) ?? 0;
    return own > 0 && own + bytes > this.#max * MAX_SHARE;
  }

  #add(caller: string, bytes: number): void {
    this.#taken += bytes;
    const own = (this.#takenBy.get(caller) ?? 0) + bytes;
    if (own === 0) this.#takenBy.delete(caller);
    else this.#takenBy.set(caller, own);
  }
}

function tooBusy(): HoldfastError {
  return new HoldfastError(
    'SERVICE_BUSY',
    'Too many large values are being read or sent (MAX_BYTES_IN_FLIGHT); ask again later',
    { retryable: true, retryAfterMs: RETRY_AFTER_MS },
  );
}
