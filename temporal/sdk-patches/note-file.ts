import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';

/** The run whose workflow code a thread executes. */
export interface NotedRun {
  readonly runId: string;
  readonly workflowId: string;
  readonly workflowType: string;
}

/** A small file that names the run whose code is being executed. It survives the process that writes it. */
export interface NoteFile {
  /** `line` comes from `formatLine`. */
  write(line: Buffer): void;
  clear(): void;
  close(): void;
}

/**
 * The server allows ids of up to 1,000 characters. The bytes are reserved at the start, so that a full disk does no
 * harm later.
 */
const RESERVED_BYTES = 8_192;
const NO_RUN = Buffer.from('\n');

/**
 * Creates the file, empty. Each write replaces the first line by one system call and does not wait for the disk, so
 * the line survives an end of the process but not of the machine.
 * @throws the system's error if the file cannot be written
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

/** The line that names a run. It is made once for all activations of the run. */
export function formatLine({ runId, workflowId, workflowType }: NotedRun): Buffer {
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

/** The run that the file names; undefined if no run was being executed when the file was last written. */
export function readNote(path: string): NotedRun | undefined {
  try {
    const [line = ''] = readFileSync(path, 'utf8').split('\n', 1);
    const { runId, workflowId, workflowType } = JSON.parse(line) as Partial<NotedRun>;
    if (typeof runId !== 'string' || typeof workflowId !== 'string') return undefined;
    return { runId, workflowId, workflowType: String(workflowType) };
  } catch {
    // The thread was idle, the file was never written, or another process has removed it.
    return undefined;
  }
}
