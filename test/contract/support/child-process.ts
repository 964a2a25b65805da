import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const RUN_TYPESCRIPT = join(__dirname, 'run-typescript.cjs');
const WAIT_LIMIT_MS = 100_000;

/** A child process of a test; it runs a script written with `childMain`. */
export interface ChildProcess {
  /** Resolves when the child waits at its gate. */
  ready(): Promise<void>;
  /** Opens the gate. */
  go(): void;
  /** The next line the child prints; undefined at its end. Rejects with its error output when it failed. */
  nextLine(): Promise<string | undefined>;
  /** What the child's work returned. Rejects as `nextLine` does. */
  result(): Promise<unknown>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
}

/** `argument` is any JSON value. */
export function startChild(script: string, argument: unknown): ChildProcess {
  const child = spawn(process.execPath, ['--require', RUN_TYPESCRIPT, script, JSON.stringify(argument)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // The pipe of a killed child breaks, which its test expects.
  child.stdin.on('error', () => undefined);
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  const exited = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();

  let killed = false;

  async function nextLine(): Promise<string | undefined> {
    const line = await within(lines.next(), `a line of ${script}`);
    if (line.done !== true) return line.value;
    const [code, signal] = await within(exited, `the end of ${script}`);
    if (code !== 0 && !killed)
      throw new Error(`${script} ended with ${String(code ?? signal)}: ${complaints}`);
    return undefined;
  }

  return {
    nextLine,
    ready: async () => {
      const line = await nextLine();
      if (line !== 'ready')
        throw new Error(`${script} printed ${String(line)} before its gate: ${complaints}`);
    },
    go: () => void child.stdin.write('go\n'),
    result: async () => {
      let last: string | undefined;
      for (let line = await nextLine(); line !== undefined; line = await nextLine()) last = line;
      return last === undefined ? undefined : (JSON.parse(last) as unknown);
    },
    kill: async () => {
      killed = true;
      child.kill('SIGKILL');
      await within(exited, `the end of ${script}`);
    },
  };
}

/** Starts one child for each argument, opens all gates at once and returns their results. */
export async function runTogether(script: string, args: readonly unknown[]): Promise<unknown[]> {
  const children = args.map((argument) => startChild(script, argument));
  try {
    await Promise.all(children.map((child) => child.ready()));
    for (const child of children) child.go();
    return await Promise.all(children.map((child) => child.result()));
  } finally {
    await Promise.all(children.map((child) => child.kill()));
  }
}

async function within<T>(promise: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`Waited ${WAIT_LIMIT_MS} ms for ${what}`)), WAIT_LIMIT_MS);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
