import type { DocumentStore } from '../src/stores/documents';
import type { Chore } from './housekeeping';

/** Epoch milliseconds from which on anybody may begin a round. */
interface Turn {
  readonly nextAt: number;
}

const COLLECTION = 'housekeeping';
/** A process that dies in a round holds up the next for so long, milliseconds. */
const HELD_MS = 600_000;
const RENEW_EVERY_MS = 200_000;
/** Part of the interval after which another round is due: a timer may come a little early. */
const DUE_AFTER = 0.9;

/**
 * The same chore where all processes that share the documents do one round at a time between them, and one in an interval:
 * who comes while another is at it, or soon after, does nothing. A round that was not finished is due at once.
 */
export function inTurns(
  chore: Chore,
  documents: Pick<DocumentStore, 'get' | 'write'>,
  now = Date.now,
): Chore {
  return {
    ...chore,
    async run(signal) {
      const began = now();
      const turn = await takeTurn(documents, chore.name, began);
      if (turn === undefined) return 0;
      const lost = new AbortController();
      const renew = (): void =>
        void turn.hold(now() + HELD_MS).then(
          (isOurs) => isOurs || lost.abort(),
          // Tried again before anybody else may begin.
          () => undefined,
        );
      const timer = setInterval(renew, RENEW_EVERY_MS).unref();
      const all = AbortSignal.any([signal, lost.signal]);
      let isDone = false;
      try {
        const removed = await chore.run(all);
        isDone = !all.aborted;
        return removed;
      } finally {
        clearInterval(timer);
        const nextAt = isDone ? began + DUE_AFTER * chore.everyMs : now();
        // Without it the turn ends by itself.
        await turn.hold(nextAt).catch(() => undefined);
      }
    },
  };
}

interface HeldTurn {
  /** False where another process has the turn by now. */
  hold(nextAt: number): Promise<boolean>;
}

/** @returns undefined where it is another process's turn, or nobody's yet */
async function takeTurn(
  documents: Pick<DocumentStore, 'get' | 'write'>,
  name: string,
  now: number,
): Promise<HeldTurn | undefined> {
  const found = await documents.get<Turn>(COLLECTION, name);
  if (found !== undefined && found.value.nextAt > now) return undefined;
  let version = found?.version ?? 0;
  const put = async (nextAt: number): Promise<boolean> => {
    const value: Turn = { nextAt };
    const isOurs = await documents.write([
      { type: 'put', collection: COLLECTION, key: name, value, ifVersion: version },
    ]);
    if (isOurs) version += 1;
    return isOurs;
  };
  if (!(await put(now + HELD_MS))) return undefined;
  // One after another, as each goes by the version that the one before has made.
  let last: Promise<unknown> = Promise.resolve();
  return {
    hold(nextAt) {
      const held = last.then(() => put(nextAt));
      last = held.catch(() => undefined);
      return held;
    },
  };
}
