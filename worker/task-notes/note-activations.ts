import type { MessagePort } from 'node:worker_threads';
import type { NotedRun, NoteFile } from './note-file';
import { lineOf } from './note-file';

/**
 * What the SDK's main thread sends to its workflow thread, as far as it matters here. The SDK does not document it:
 * test/unit/worker/noted-worker.test.ts fails when it changes.
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
 * Notes the run of each message before the SDK's thread, which has to begin to listen later, handles it, and clears the
 * note when the thread answers. A message is handled synchronously except for one turn of the event loop before the answer;
 * when another message comes in that turn, the note names the later one, which is the one that is executed.
 *
 * @param serial its first element is set to another positive number by each message, and to 0 between messages
 */
export function noteActivations(port: Port, file: NoteFile, serial: Int32Array): void {
  const lines = new Map<string, Buffer>();
  let current: unknown;
  let last = 0;

  port.on('message', ({ requestId, input }: Request) => {
    const runId = input.runId ?? input.options?.info.runId;
    // Asking for what a run has logged executes nothing of it.
    if (runId === undefined || input.type === 'extract-sink-calls') return;
    if (input.type === 'create-workflow' && input.options) lines.set(runId, lineOf(input.options.info));
    const line = lines.get(runId);
    if (line === undefined) return;
    if (input.type === 'dispose-workflow') lines.delete(runId);
    current = requestId;
    last = last === 0x7fffffff ? 1 : last + 1;
    attempt(() => file.write(line));
    Atomics.store(serial, 0, last);
  });

  const post = port.postMessage.bind(port);
  port.postMessage = (message: { requestId?: unknown }, ...rest: never[]): void => {
    if (current !== undefined && message.requestId === current) {
      current = undefined;
      Atomics.store(serial, 0, 0);
      attempt(() => file.clear());
    }
    post(message, ...rest);
  };
}

/** A note that cannot be written is no reason not to run a workflow. */
function attempt(action: () => void): void {
  try {
    action();
  } catch {
    // The disk is gone or full; a death meanwhile is not attributed to a run.
  }
}
