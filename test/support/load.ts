import type { Answer } from './http';
import { waitFor } from './wait';

export interface Load {
  /** The answers in the order of their arrival. */
  readonly answers: readonly Answer[];
  /** The errors of requests without an answer. */
  readonly failures: readonly unknown[];
  /** Resolves when this number of answers have arrived. */
  reached(answers: number): Promise<unknown>;
  readonly done: Promise<unknown>;
  /** Lets each caller end after the call that it makes. */
  stop(): void;
}

/** Callers that each make their calls one after another. A caller that gets no answer stops. */
export function startLoad(callers: number, callsEach: number, call: (n: number) => Promise<Answer>): Load {
  const answers: Answer[] = [];
  const failures: unknown[] = [];
  let stopped = false;
  const run = async (): Promise<void> => {
    try {
      for (let n = 0; n < callsEach && !stopped; n += 1) answers.push(await call(n));
    } catch (error) {
      failures.push(error);
    }
  };
  return {
    answers,
    failures,
    reached: (count) => waitFor(() => answers.length >= count, { what: `${count} answers under load` }),
    done: Promise.all(Array.from({ length: callers }, run)),
    stop: () => void (stopped = true),
  };
}
