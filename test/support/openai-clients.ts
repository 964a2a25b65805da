import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { ROOT } from './fixture-project';

const SET_UP = join(ROOT, 'scripts', 'setup', 'openai-clients.mjs');
const DRIVERS = join(ROOT, 'test', 'openai');

interface Found {
  readonly python?: string;
  readonly node?: { readonly program: string; readonly packages: string };
}
const { python, node } = JSON.parse(
  spawnSync(process.execPath, [SET_UP, '--check'], { encoding: 'utf8' }).stdout,
) as Found;

const NODE_DRIVER = join(DRIVERS, 'driver.mjs');
const COMMANDS: readonly (readonly [name: string, command: readonly string[] | undefined])[] = [
  ['Python', python === undefined ? undefined : [python, join(DRIVERS, 'driver.py')]],
  ['Node.js 6', [process.execPath, NODE_DRIVER, ROOT]],
  ['Node.js 7', node && [node.program, NODE_DRIVER, node.packages]],
];

/** Describes what each of OpenAI's own clients does. One that is not installed is skipped, except in CI. */
export function describeWithClients(title: string, body: (start: () => DrivenClient) => void): void {
  for (const [name, command] of COMMANDS) {
    const isSkipped = command === undefined && process.env['CI'] !== 'true';
    (isSkipped ? describe.skip : describe)(`${title} ${name}`, () => body(() => startClient(command)));
  }
}

export interface CallOptions {
  /** The base address of the API without `/v1`. */
  readonly url: string;
  /** Default: a text that is no key. */
  readonly key?: string;
  readonly args?: readonly unknown[];
  /** A stream is closed after the first event of this type. */
  readonly until?: string;
}

/** An error as a client has thrown it. */
export interface ClientError {
  /** That of its class. */
  readonly name: string;
  readonly message: string;
  readonly status?: number | null;
  readonly code?: string | null;
  readonly param?: string | null;
}

/** A client in a process of its own. Calls run at the same time. */
export interface DrivenClient {
  /** Calls a method, such as `chat.completions.create`. @throws what `errorOf` reads */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  call(path: string, params: object, options: CallOptions): Promise<any>;
  /** Calls a method whose answer is a stream. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  stream(path: string, params: object, options: CallOptions): AsyncIterable<any>;
  /** The error of a call that has to fail. */
  errorOf(path: string, params: object, options: CallOptions): Promise<ClientError>;
  close(): Promise<void>;
}

class CallFailed extends Error {
  constructor(readonly error: ClientError) {
    super(`${error.name}: ${error.message}`);
  }
}

interface Said {
  readonly id: number;
  readonly event?: unknown;
  readonly result?: unknown;
  readonly error?: ClientError;
}

function startClient(command: readonly string[] | undefined): DrivenClient {
  const [program, ...args] = command ?? [];
  if (program === undefined) throw new Error('The client could not be installed: see openai-clients.mjs');
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const calls = new Map<number, (said: Said) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const said = JSON.parse(line) as Said;
    calls.get(said.id)?.(said);
  });
  let count = 0;

  function stream(path: string, params: object, { url, key = 'none', ...options }: CallOptions): Readable {
    const id = (count += 1);
    const events = new Readable({ objectMode: true, read: () => undefined });
    calls.set(id, ({ event, result, error }) => {
      if (event !== undefined) return void events.push(event);
      calls.delete(id);
      if (error !== undefined) return void events.destroy(new CallFailed(error));
      if (result != null) events.push(result);
      events.push(null);
    });
    const order = { id, path, params, url: `${url}/v1`, key, args: [], ...options };
    child.stdin.write(`${JSON.stringify(order)}\n`);
    return events;
  }
  const call: DrivenClient['call'] = async (...order) => {
    for await (const result of stream(...order)) return result;
  };
  return {
    call,
    stream,
    async errorOf(...order) {
      try {
        throw new Error(`no error: ${JSON.stringify(await call(...order))}`);
      } catch (error) {
        if (error instanceof CallFailed) return error.error;
        throw error;
      }
    },
    close: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  child.stdin?.end();
  if (child.exitCode === null) await once(child, 'exit');
}
