import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';

/** The run whose workflow code a thread executes. */
export interface NotedRun {
  readonly runId: string;
  readonly workflowId: string;
  readonly workflowType: string;
}

/** A small file that names the run being executed now, and outlives the process that writes it. */
export interface NoteFile {
  /** `line` comes from `lineOf`. */
  write(line: Buffer): void;
  clear(): void;
  close(): void;
}

/** Ids have up to 1,000 characters at the server. Reserved at once, so that a full disk does not matter later. */
const RESERVED_BYTES = 8_192;
const NO_RUN = Buffer.from('\n');

/**
 * Creates the file, empty. Each write replaces the first line by one system call and waits for no disk: it survives the
 * process, not the machine.
 * @throws the system's error where the file cannot be written
 */
export function createNoteFile(path: string): NoteFile {
  const file = openSync(path, 'w', 0o600);
  writeSync(file, Buffer.alloc(RESERVED_BYTES, '\n'), 0, RESERVED_BYTES, 0);
  return {
    write: (line) => void writeSync(file, line, 0, line.length, 0),
    clear: () => void writeSync(file, NO_RUN, 0, NO_RUN.length, 0),
    close: () => closeSync(file),
  };
}

/** The line of a run, made once for all activations of the run. */
export function lineOf({ runId, workflowId, workflowType }: NotedRun): Buffer {
  return Buffer.from(`${JSON.stringify({ runId, workflowId, workflowType })}\n`);
}

/** Clears the note from another thread than the one that writes it. */
export function clearNote(path: string): void {
  const file = openSync(path, 'r+');
  try {
    writeSync(file, NO_RUN, 0, NO_RUN.length, 0);
  } finally {
    closeSync(file);
  }
}

/** The run that was being executed when the file was written last; undefined where there was none. */
export function readNote(path: string): NotedRun | undefined {
  try {
    const [line = ''] = readFileSync(path, 'utf8').split('\n', 1);
    const { runId, workflowId, workflowType } = JSON.parse(line) as Partial<NotedRun>;
    if (typeof runId !== 'string' || typeof workflowId !== 'string') return undefined;
    return { runId, workflowId, workflowType: String(workflowType) };
  } catch {
    // An idle thread, a file that was never written, or one that another process has removed.
    return undefined;
  }
}
