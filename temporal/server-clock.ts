/** A difference between the clock of this machine and that of the Temporal server is reported above this, milliseconds. */
export const REPORTED_SKEW_MS = 5_000;

/**
 * The clock of the Temporal server, by which all times of runs are given. It counts on by this process's monotonic clock, so
 * neither the time of this machine nor a change of it matters.
 */
export interface ServerClock {
  /** Epoch milliseconds; the time of this machine until the server's clock has been read. */
  now(): number;
  /**
   * Notes a time that the server's clock had shown before now.
   * @param time epoch milliseconds
   * @param sentAt the request in answer to which the server read its clock was sent then, as by `performance.now()`; absent
   *   if the time may be older, so that it proves only that the clock shows at least that
   */
  hear(time: number, sentAt?: number): void;
  /** How far the clock of this machine is ahead of the server's, milliseconds; undefined until that has been read. */
  skewMs(): number | undefined;
}

export function createServerClock(): ServerClock {
  /** The server's time less the monotonic one. It is too small by the time that an answer took to arrive, and never too large. */
  let offset: number | undefined;
  let isMeasured = false;
  const now = (): number => Math.round(offset === undefined ? Date.now() : offset + performance.now());
  return {
    now,
    hear(time, sentAt) {
      // A server that gives no time gives 0.
      if (!(time > 0)) return;
      const atLeast = time - performance.now();
      const atMost = sentAt === undefined ? Infinity : time - sentAt;
      // It is too large only if the server's clock was set back.
      if (offset === undefined || atLeast > offset || offset > atMost) offset = atLeast;
      isMeasured ||= sentAt !== undefined;
    },
    skewMs: () => (isMeasured ? Date.now() - now() : undefined),
  };
}

/** The clock of the server that this process is connected to. */
export const serverClock = createServerClock();
