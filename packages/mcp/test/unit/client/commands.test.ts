import { createCommands, type Commands } from '../../../client/commands';
import type { Channel } from '../../../client/channel';
import { waitFor } from '../../../../../test/support/wait';

/** A program that ends when its input does. */
const PATIENT = { command: process.execPath, args: ['-e', 'process.stdin.resume()'], env: {} };
/** One that only SIGKILL ends. It writes a message once it is ready. */
const STUBBORN = {
  ...PATIENT,
  args: [
    '-e',
    `process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1_000);
     console.log(JSON.stringify({ jsonrpc: '2.0', method: 'ready' }))`,
  ],
};
const never = new AbortController().signal;

let commands: Commands;
let warnings: unknown[];
beforeEach(() => {
  warnings = [];
  commands = create(true);
});
afterEach(() => commands.close());

function create(allowed: boolean): Commands {
  const logger = { warn: (...line: unknown[]) => void warnings.push(line) };
  return createCommands({ allowed, maxMessageBytes: 10_000, logger: logger as never });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function start(target = PATIENT, signal = never): Promise<Channel & { readonly pid: number }> {
  const channel = await commands.open(target, signal);
  await channel.transport.start();
  return Object.assign(channel, { pid: (channel.transport as { pid?: number }).pid! });
}

test('a process ends with its channel', async () => {
  const channel = await start();
  expect(isRunning(channel.pid)).toBe(true);
  await channel.end();
  expect(isRunning(channel.pid)).toBe(false);
  expect(warnings).toEqual([]);
});

test('numbers that a double does not hold arrive as text, however their line is cut', async () => {
  const message =
    '{"jsonrpc":"2.0","method":"notice","params":{"big":9007199254740993,"small":7,"é":1e400}}\n';
  const at = Buffer.from(message).indexOf('é') + 1;
  const source = `const bytes = Buffer.from(${JSON.stringify(message.repeat(2))});
    process.stdout.write(bytes.subarray(0, ${at}));
    setTimeout(() => process.stdout.write(bytes.subarray(${at})), 50);
    process.stdin.resume()`;
  const channel = await commands.open({ ...PATIENT, args: ['-e', source] }, never);
  const received: unknown[] = [];
  channel.transport.onmessage = (one) => received.push((one as { params: unknown }).params);
  await channel.transport.start();
  await waitFor(() => received.length === 2, { what: 'both messages' });
  const params = { big: '9007199254740993', small: 7, é: '1e400' };
  expect(received).toEqual([params, params]);
  await channel.end();
});

test('an abort ends a process, also one that does not want to', async () => {
  const caller = new AbortController();
  const channel = await commands.open(STUBBORN, caller.signal);
  const ready = new Promise((resolve) => (channel.transport.onmessage = resolve));
  await channel.transport.start();
  await ready;
  const { pid } = channel.transport as unknown as { pid: number };
  caller.abort();
  await waitFor(() => !isRunning(pid), { what: 'the process to be killed' });
  await channel.end();
});

test('only a bounded number of processes runs at once, and others wait for them', async () => {
  const running = await Promise.all(Array.from({ length: 8 }, () => start()));
  const caller = new AbortController();
  const given = commands.open(PATIENT, caller.signal);
  let isOpen = false;
  const waiting = start().then((channel) => ((isOpen = true), channel));
  caller.abort(new Error('given up'));
  await expect(given).rejects.toThrow('given up');
  expect(isOpen).toBe(false);
  await running[0]!.end();
  await (await waiting).end();
  await Promise.all(running.map((channel) => channel.end()));
});

test('closing ends all processes, and none starts afterwards', async () => {
  const channel = await start();
  const closing = commands.close();
  await waitFor(() => !isRunning(channel.pid), { what: 'the process to end' });
  await channel.end();
  await closing;
  await expect(commands.open(PATIENT, never)).rejects.toMatchObject({ retryable: true });
});

test('what a process writes before it ends by itself is logged, up to a length', async () => {
  const channel = await commands.open(
    { ...PATIENT, args: ['-e', `process.stderr.write('x'.repeat(5_000) + 'the end')`] },
    never,
  );
  const closed = new Promise<void>((resolve) => (channel.transport.onclose = resolve));
  await channel.transport.start();
  await closed;
  await channel.end();
  expect(warnings).toEqual([
    [
      { command: process.execPath, errorOutput: `${'x'.repeat(1_993)}the end` },
      'the command of an MCP server ended by itself',
    ],
  ]);
});

test('a process without the setting runs nothing', async () => {
  await expect(create(false).open(PATIENT, never)).rejects.toThrow(/MCP_STDIO=yes/);
});
