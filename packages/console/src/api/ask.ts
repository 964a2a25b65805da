import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import {
  type ApiProblem,
  isRefused,
  read,
  type ReadData,
  type ReadParams,
  type ReadPath,
  toProblem,
} from './client';

export interface Asked<T> {
  /** The last answer; undefined before the first. It stays while the next one is waited for, and when that fails. */
  readonly data: T | undefined;
  readonly problem: ApiProblem | undefined;
  /** Which version the last answer is of. */
  readonly answered: AskOptions<T>['version'];
  /** Asks again at once. */
  readonly again: () => void;
}

export interface AskOptions<T> {
  /**
   * Asks again so long after each answer, while the page is visible, milliseconds; absent: asks once. A function says it by the last answer,
   * which is undefined before the first.
   */
  readonly everyMs?: number | ((data: T | undefined) => number | undefined) | undefined;
  /** Asks while the page is hidden too, for what the title of its tab says. */
  readonly whileHidden?: boolean;
  /** Asks again when it changes, and keeps the last answer meanwhile. */
  readonly version?: number | string | undefined;
}

interface LastAnswer<T> extends Pick<AskOptions<T>, 'version'> {
  readonly of: string;
  readonly data?: T;
  readonly problem?: ApiProblem;
}

/**
 * Asks the service, and again when what is asked for changes. An answer to an earlier question is dropped.
 * @param question what is asked for, as a text that differs if the answer does; undefined: nothing is asked
 */
export function useAsked<T>(
  question: string | undefined,
  ask: (signal: AbortSignal) => Promise<T>,
  { everyMs, whileHidden = false, version }: AskOptions<T> = {},
): Asked<T> {
  const [lastAnswer, keep] = useState<LastAnswer<T>>();
  const [round, setRound] = useState(0);
  const latest = useRef({ ask, everyMs });
  latest.current = { ask, everyMs };
  useEffect(() => {
    if (question === undefined) return undefined;
    const ended = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isAsking = false;
    let isOver = false;
    let repeatMs: number | undefined;
    let last: T | undefined;
    const once = async (): Promise<void> => {
      clearTimeout(timer);
      isAsking = true;
      try {
        const data = await latest.current.ask(ended.signal);
        last = data;
        if (!ended.signal.aborted) keep({ of: question, version, data });
      } catch (error) {
        if (ended.signal.aborted) return;
        isOver = isRefused(error);
        keep((before) => ({
          ...(before?.of === question ? before : { of: question }),
          problem: toProblem(error),
        }));
      } finally {
        isAsking = false;
      }
      const { everyMs: next } = latest.current;
      repeatMs = isOver ? undefined : typeof next === 'function' ? next(last) : next;
      if (repeatMs !== undefined && !ended.signal.aborted && (whileHidden || !document.hidden))
        timer = setTimeout(() => void once(), repeatMs);
    };
    const onVisible = (): void => {
      if (!document.hidden && !isAsking && repeatMs !== undefined) void once();
    };
    document.addEventListener('visibilitychange', onVisible);
    void once();
    return () => {
      document.removeEventListener('visibilitychange', onVisible);
      clearTimeout(timer);
      ended.abort();
    };
  }, [question, whileHidden, round, version]);
  const again = useCallback(() => setRound((before) => before + 1), []);
  const answer = lastAnswer?.of === question ? lastAnswer : undefined;
  return { data: answer?.data, problem: answer?.problem, answered: answer?.version, again };
}

/**
 * Reads what a path has, as `useAsked` does.
 * @param params undefined: nothing is asked
 */
export function useRead<P extends ReadPath>(
  path: P,
  params: ReadParams<P> | undefined,
  options?: AskOptions<ReadData<P>>,
): Asked<ReadData<P>> {
  const question = params && `${path} ${JSON.stringify(params)}`;
  return useAsked(question, (signal) => read(path, params as ReadParams<P>, signal), options);
}

/** How often a pane asks again while it is seen, milliseconds. */
export const LIVE_MS = 2_000;
