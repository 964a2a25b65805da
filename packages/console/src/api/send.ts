import { useState } from 'preact/hooks';
import { type ApiProblem, toProblem } from './client';

export interface Sender {
  readonly isSending: boolean;
  /** Why the last request failed. */
  readonly problem: ApiProblem | undefined;
  /** Makes a request, unless one is on its way. */
  readonly send: (request: () => Promise<unknown>) => void;
}

/** What a person sends: whether it is on its way, and why it failed. */
export function useSend(): Sender {
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<ApiProblem>();
  const send = (request: () => Promise<unknown>): void => {
    if (isSending) return;
    setSending(true);
    setProblem(undefined);
    request()
      .catch((error: unknown) => setProblem(toProblem(error)))
      .finally(() => setSending(false));
  };
  return { isSending, problem, send };
}
