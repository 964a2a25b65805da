import type { MessagePort } from 'node:worker_threads';
import { formatLine, type NotedRun, type NoteFile } from './note-file';

/**
 * The fields used here of the messages that the SDK's main thread sends to its workflow thread. The SDK does not
 * document them; test/e2e/noted-worker.test.ts fails when they change.
 */
interface Request {
  readonly requestId: unknown;
  readonly input: {
    readonly type: string;
    readonly runId?: string;
    readonly options?: { readonly info: NotedRun };
  };
}

type Port = Pick<MessagePort, 'on' | 'postMessage'>;

/**
 * Notes the run of each message before the SDK's thread handles it, and clears the note when the thread answers. The
 * SDK's thread has to add its listener after this one. It handles a message synchronously, except that it yields to
 * the event loop once before it answers; when another message arrives then, the note names the later one, which is
 * the one that is executed.
 *
 * @param serial each message sets its first element to another positive number; it is 0 between messages
 */
export function noteActivations(port: Port, file: NoteFile, serial: Int32Array): void {
  const lines = new Map<string, Buffer>();
  let current: unknown;
  let last = 0;

  port.on('message', ({ requestId, input }: Request) => {
    const runId = input.runId ?? input.options?.info.runId;
    // This message reads what a run has logged and executes none of its code.
    if (runId === undefined || input.type === 'extract-sink-calls') return;
    if (input.type === 'create-workflow' && input.options) lines.set(runId, formatLine(input.options.info));
    const line = lines.get(runId);
    if (line === undefined) return;
    if (input.type === 'dispose-workflow') lines.delete(runId);
    current = requestId;
    last = last === 0x7fffffff ? 1 : last + 1;
    ignoreErrors(() => file.write(line));
    Atomics.store(serial, 0, last);
  });

  const post = port.postMessage.bind(port);
  port.postMessage = (message: { requestId?: unknown }, ...rest: never[]): void => {
    if (current !== undefined && message.requestId === current) {
      current = undefined;
      Atomics.store(serial, 0, 0);
      ignoreErrors(() => file.clear());
    }
    post(message, ...rest);
  };
}

/** Workflows run even if their note cannot be written. */
function ignoreErrors(action: () => void): void {
  try {
    action();
  } catch {
    // The disk is gone or full. If the process dies meanwhile, its death is not attributed to a run.
  }
}
