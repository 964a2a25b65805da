import type { ServerResponse } from 'node:http';
import type { BytesInFlight, Taking } from '../../src/base/async/bytes-in-flight';
import type { AdmitBytes } from '../../temporal/runs/admit-bytes';

/** A response that needs room has to be received within this time, ms, or a slow reader would hold the room for ever. */
const HOLD_LIMIT_MS = 600_000;

export interface ResponseRoom {
  readonly admit: AdmitBytes;
  /** Gives the room back, when the response was sent or its caller has gone. */
  close(): void;
}

/**
 * Takes the room of one response. What it needs later is added to what it has: it gives the first back and takes both together, so
 * that no response waits for room that it holds itself.
 */
export function openResponseRoom(
  res: ServerResponse,
  inFlight: BytesInFlight,
  next: () => Omit<Taking, 'bytes'>,
): ResponseRoom {
  let bytes = 0;
  let giveBack = (): void => undefined;
  let turn: Promise<void> = Promise.resolve();
  let limit: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function grow(more: number): Promise<void> {
    giveBack();
    giveBack = await inFlight.take({ ...next(), bytes: bytes + more });
    bytes += more;
    if (isClosed) giveBack();
    else limit ??= setTimeout(() => res.destroy(), HOLD_LIMIT_MS).unref();
  }

  return {
    admit(more) {
      const grown = turn.then(() => grow(more));
      turn = grown.catch(() => undefined);
      return grown;
    },
    close() {
      isClosed = true;
      clearTimeout(limit);
      giveBack();
    },
  };
}
