import { HoldfastError } from '../errors';

/** A request waits up to this long for other large values, ms, and is refused after it. */
const MAX_WAIT_MS = 5_000;
/** How many requests of one caller wait at once. Further ones are refused at once. */
const MAX_WAITING = 200;
const RETRY_AFTER_MS = 1_000;
/** No tenant has more than this share, so that the others never wait for one tenant. */
const MAX_SHARE = 0.5;

export interface Taking {
  /** Whose share the bytes are of. */
  readonly tenant: string;
  /** Who the work is for: the tenant, or one of its users. Callers take turns. */
  readonly caller: string;
  readonly bytes: number;
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /** How long to wait, ms; default 5,000. With `Infinity` only the signal ends the wait, and nothing is refused. */
  readonly waitMs?: number;
}

interface Waiting {
  readonly tenant: string;
  readonly bytes: number;
  begin(): void;
}

/**
 * Limits the bytes of large values that a process works on at once, for all callers together. A value that is larger than the
 * share of a tenant counts as this share, so that it is worked on while nothing else of its tenant is. Callers take turns, each in
 * the order of its requests; what fits does not wait for larger work of others.
 */
export class BytesInFlight {
  readonly #max: number;
  #taken = 0;
  readonly #takenBy = new Map<string, number>();
  /** By caller; the caller that is served next comes first. */
  readonly #waiting = new Map<string, readonly Waiting[]>();

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
   * @throws HoldfastError `SERVICE_BUSY` if too many requests of the caller wait or the wait is over; the reason of the signal
   */
  async take({ tenant, caller, bytes, signal, waitMs = MAX_WAIT_MS }: Taking): Promise<() => void> {
    signal.throwIfAborted();
    const counted = Math.min(bytes, this.#max * MAX_SHARE);
    const before = this.#waiting.get(caller)?.length ?? 0;
    if (before > 0 || !this.#fits(tenant, counted)) {
      if (waitMs < Infinity && before >= MAX_WAITING) throw tooBusy();
      await this.#wait(caller, { tenant, bytes: counted }, signal, waitMs);
    } else this.#add(tenant, counted);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#add(tenant, -counted);
      this.#serve();
    };
  }

  #wait(caller: string, needed: Omit<Waiting, 'begin'>, signal: AbortSignal, waitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        const others = (this.#waiting.get(caller) ?? []).filter((one) => one !== waiting);
        if (others.length === 0) this.#waiting.delete(caller);
        else this.#waiting.set(caller, others);
      };
      const giveUp = (reason: Error): void => {
        leave();
        reject(reason);
        // Smaller requests of the same caller may have waited for this one.
        this.#serve();
      };
      const onAbort = (): void => giveUp(signal.reason as Error);
      const timer = waitMs < Infinity ? setTimeout(() => giveUp(tooBusy()), waitMs) : undefined;
      const waiting: Waiting = {
        ...needed,
        begin: () => {
          leave();
          resolve();
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.set(caller, [...(this.#waiting.get(caller) ?? []), waiting]);
    });
  }

  /** Lets those begin that fit, the callers in turn. */
  #serve(): void {
    for (const [caller, [first]] of this.#waiting) {
      if (first === undefined || !this.#fits(first.tenant, first.bytes)) continue;
      this.#add(first.tenant, first.bytes);
      first.begin();
      const rest = this.#waiting.get(caller);
      if (rest !== undefined) {
        this.#waiting.delete(caller);
        this.#waiting.set(caller, rest);
      }
      return this.#serve();
    }
  }

  #fits(tenant: string, bytes: number): boolean {
    const tenantBytes = this.#takenBy.get(tenant) ?? 0;
    return this.#taken + bytes <= this.#max && tenantBytes + bytes <= this.#max * MAX_SHARE;
  }

  #add(tenant: string, bytes: number): void {
    this.#taken += bytes;
    const tenantBytes = (this.#takenBy.get(tenant) ?? 0) + bytes;
    if (tenantBytes === 0) this.#takenBy.delete(tenant);
    else this.#takenBy.set(tenant, tenantBytes);
  }
}

function tooBusy(): HoldfastError {
  return new HoldfastError(
    'SERVICE_BUSY',
    'Too many large values are being read or sent (MAX_BYTES_IN_FLIGHT); ask again later',
    { retryable: true, retryAfterMs: RETRY_AFTER_MS },
  );
}
