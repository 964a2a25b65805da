import { isRunEnd, type RunEvent, type RunSign } from '../../src/contracts/http/run-events';
import type { StartedRun } from '../runs/started-run';
import { type FeedPorts, type Follower, RunFeed } from './run-feed';

/** A follower that is slower than this loses signs of life. It loses no event, and no text unless more steps speak at once. */
const MAX_SIGNS = 100;

export interface FollowOptions {
  /** The sequence of the last event that the reader has; 0 for none. */
  readonly after: number;
  /** After this long without an item, `undefined` is given, milliseconds. */
  readonly silenceMs: number;
  readonly signal: AbortSignal;
}

/** Gives the logs of runs to all who follow them, each at its own pace. */
export class RunFeeds {
  readonly #feeds = new Map<string, RunFeed>();
  #isClosed = false;

  constructor(private readonly ports: FeedPorts) {}

  /** Ends all following, when the process stops. */
  close(): void {
    this.#isClosed = true;
    for (const { followers } of this.#feeds.values()) for (const { wake } of followers) wake();
  }

  /**
   * Follows a run until its end: all events after `after` without a gap, and signs of life as they come. A reader that is
   * slow is given the next item when it asks, so nothing is kept for it but its place in the log.
   * @returns whether the run has ended; false if the signal aborted or the feeds were closed before
   * @throws HoldfastError as `readWholeLog` does, if the history cannot be read any more
   */
  async *follow(
    run: StartedRun,
    { after, silenceMs, signal }: FollowOptions,
  ): AsyncGenerator<RunEvent | RunSign | undefined, boolean, undefined> {
    const feed = this.#join(run);
    const signs: PlacedSign[] = [];
    const bell = createBell(signal);
    const follower: Follower = {
      wake: bell.ring,
      sign(sign, at) {
        // The reader has the events that came after it.
        if (at < after) return;
        const last = signs.at(-1);
        const joined = last?.at === at ? joinTexts(last.sign, sign) : undefined;
        if (joined !== undefined) signs[signs.length - 1] = { sign: joined, at };
        else if (signs.length < MAX_SIGNS) signs.push({ sign, at });
        bell.ring();
      },
    };
    feed.join(follower);
    let at = after;
    try {
      while (!signal.aborted && !this.#isClosed) {
        const next = signs[0];
        if (next !== undefined && next.at <= at) {
          signs.shift();
          // Other signs than texts say nothing any more once an event came after them.
          if (next.sign.type === 'message.delta' || next.at === feed.events.length) yield next.sign;
          continue;
        }
        const event = feed.events[at];
        if (event !== undefined) {
          at += 1;
          yield event;
          if (isRunEnd(event)) return true;
        } else if (feed.isOver) {
          if (feed.failure !== undefined) throw feed.failure;
          return true;
        } else if (!(await bell.wait(silenceMs))) yield undefined;
      }
      return false;
    } finally {
      bell.close();
      this.#leave(run, feed, follower);
    }
  }

  #join(run: StartedRun): RunFeed {
    const known = this.#feeds.get(run.runId);
    // The log of an ended run is complete, so readers share it as long as one of them reads.
    if (known !== undefined && known.failure === undefined) return known;
    const feed = new RunFeed(this.ports, run);
    this.#feeds.set(run.runId, feed);
    return feed;
  }

  #leave({ runId }: StartedRun, feed: RunFeed, follower: Follower): void {
    feed.followers.delete(follower);
    if (feed.followers.size > 0) return;
    feed.stop();
    feed.giveBack();
    if (this.#feeds.get(runId) === feed) this.#feeds.delete(runId);
  }
}

/** A sign, and how many events the log had when it was given. */
interface PlacedSign {
  readonly sign: RunSign;
  readonly at: number;
}

/** @returns one sign with the texts of two that follow each other; undefined if they do not */
function joinTexts(first: RunSign, { step, type, offset, text = '' }: RunSign): RunSign | undefined {
  const { text: before = '', offset: from = 0 } = first;
  const continues =
    type === 'message.delta' &&
    first.type === type &&
    first.step.id === step.id &&
    first.step.attempt === step.attempt &&
    offset === from + before.length;
  return continues ? { ...first, text: before + text } : undefined;
}

interface Bell {
  readonly ring: () => void;
  /** Waits until the bell rings or the signal aborts. @returns false if the time is over first */
  wait(ms: number): Promise<boolean>;
  close(): void;
}

function createBell(signal: AbortSignal): Bell {
  let isRung = false;
  let answer: ((hasRung: boolean) => void) | undefined;
  const ring = (): void => {
    isRung = true;
    answer?.(true);
  };
  signal.addEventListener('abort', ring, { once: true });
  return {
    ring,
    async wait(ms) {
      let timer: NodeJS.Timeout | undefined;
      const hasRung =
        isRung ||
        (await new Promise<boolean>((resolve) => {
          answer = resolve;
          timer = setTimeout(() => resolve(false), ms);
        }));
      clearTimeout(timer);
      answer = undefined;
      isRung = false;
      return hasRung;
    },
    close: () => signal.removeEventListener('abort', ring),
  };
}
