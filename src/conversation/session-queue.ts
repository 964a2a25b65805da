import type { EarlierTurn } from '../contracts/runs/turns';

/** A place in the queue of a session's turns. */
export interface Place {
  readonly workflowId: string;
  /** Epoch milliseconds. Distinguishes several places of one run. */
  readonly placedAt: number;
  /** More than one request has taken the place. */
  readonly shared?: true;
}

/** The turns of a session that may not have ended, the first one first. */
export type TurnQueue = readonly Place[];

/** The stored form of a queue: its last place, each place with the one before it. */
export interface StoredQueue extends Place {
  readonly after?: StoredQueue;
  /** The queue is empty. */
  readonly over?: true;
}

const EMPTY: StoredQueue = { workflowId: '', placedAt: 0, over: true };

export function readQueue(stored: StoredQueue | undefined): TurnQueue {
  const queue: Place[] = [];
  for (let last = stored?.over ? undefined : stored; last !== undefined; last = last.after) {
    const { workflowId, placedAt, shared } = last;
    queue.unshift({ workflowId, placedAt, shared });
  }
  return queue;
}

export function toStoredQueue(queue: TurnQueue): StoredQueue {
  const last = queue.reduce<StoredQueue | undefined>((after, place) => ({ ...place, after }), undefined);
  return last ?? EMPTY;
}

/** A place in the form in which later turns wait for it, with the places before it. */
export function toEarlierTurn(before: TurnQueue, place: Place): EarlierTurn {
  return withPredecessor(before.reduce<EarlierTurn | undefined>(withPredecessor, undefined), place);
}

export function withoutPlace(queue: TurnQueue, index: number): TurnQueue {
  return queue.filter((_, at) => at !== index);
}

function withPredecessor(after: EarlierTurn | undefined, { workflowId, placedAt }: Place): EarlierTurn {
  return { workflowId, placedAt, after };
}
