import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { noteActivations } from '../../../temporal/sdk-patches/note-activations';
import { clearNote, createNoteFile, formatLine, readNote } from '../../../temporal/sdk-patches/note-file';
import {
  findAbandonedNotes,
  noteFolder,
  prepareNotePath,
  processId,
  removeForgottenNotes,
  touchNote,
} from '../../../worker/note-files';
import { LOOK_EVERY_MS, STALL_MS, watchStalls } from '../../../worker/stall-watch';
import { makeTempDir, type TempDir } from '../../support/temp-dir';
import { readIdentity } from '../../../temporal/dev-server/stop-process';

const run = (runId: string) => ({ runId, workflowId: `tools/${runId}\n"ä"`, workflowType: 'executeTool' });

let dir: TempDir;
beforeEach(() => (dir = makeTempDir()));
afterEach(() => dir.remove());

describe('a note file', () => {
  test('names the run that was written last, until it is cleared', () => {
    const path = join(dir.path, 'note');
    expect(readNote(path)).toBeUndefined();
    const file = createNoteFile(path);
    expect(readNote(path)).toBeUndefined();
    const long = { ...run('a'), workflowId: 'i'.repeat(1_000) };
    file.write(formatLine(long));
    expect(readNote(path)).toEqual(long);
    file.write(formatLine(run('b')));
    expect(readNote(path)).toEqual(run('b'));
    file.clear();
    expect(readNote(path)).toBeUndefined();
    file.write(formatLine(run('a')));
    clearNote(path);
    expect(readNote(path)).toBeUndefined();
    file.close();
  });
});

describe('notes of activations', () => {
  let channel: MessageChannel;
  let path: string;
  let serial: Int32Array;
  /** The contents of the file and the serial number while the thread handles each message. */
  let during: unknown[];
  let answers: unknown[];

  beforeEach(() => {
    channel = new MessageChannel();
    path = join(dir.path, 'note');
    serial = new Int32Array(new SharedArrayBuffer(4));
    during = [];
    answers = [];
    noteActivations(channel.port1, createNoteFile(path), serial);
    // As in the SDK's thread, one iteration of the event loop passes before the answer.
    channel.port1.on('message', ({ requestId }: { requestId: bigint }) => {
      during.push([readNote(path)?.runId, serial[0]]);
      setImmediate(() => channel.port1.postMessage({ requestId, result: { type: 'ok' } }));
    });
    channel.port2.on('message', (answer) => answers.push(answer));
  });
  afterEach(() => channel.port1.close());

  async function send(...inputs: object[]): Promise<void> {
    const want = answers.length + inputs.length;
    inputs.forEach((input, n) => channel.port2.postMessage({ requestId: BigInt(want * 100 + n), input }));
    while (answers.length < want) await once(channel.port2, 'message');
  }

  const create = (runId: string) => ({ type: 'create-workflow', options: { info: run(runId) } });
  const activate = (runId: string) => ({ type: 'activate-workflow', runId, activation: {} });

  test('each names its run while it is executed, with a number of its own, and nothing afterwards', async () => {
    await send({ type: 'init' });
    await send(create('a'));
    await send(activate('a'));
    await send({ type: 'dispose-workflow', runId: 'a' });
    expect(during).toEqual([
      [undefined, 0],
      ['a', 1],
      ['a', 2],
      ['a', 3],
    ]);
    expect([readNote(path), serial[0]]).toEqual([undefined, 0]);
    // This run has left the thread.
    await send(activate('a'));
    expect(during.at(-1)).toEqual([undefined, 0]);
  });

  test('of several that wait, each is named in its turn', async () => {
    await send(create('a'), create('b'), activate('b'), activate('a'), activate('b'));
    expect(during.map((seen) => (seen as unknown[])[0])).toEqual(['a', 'b', 'b', 'a', 'b']);
    expect([readNote(path), serial[0]]).toEqual([undefined, 0]);
  });
});

describe('notes that were left', () => {
  test('are those of processes of this container that have ended', async () => {
    const folder = noteFolder(dir.path);
    expect(await findAbandonedNotes(folder)).toEqual([]);
    const own = prepareNotePath(folder, 1);
    createNoteFile(own).write(formatLine(run('own')));

    const child = spawn('sleep', ['60']);
    const identity = readIdentity(child.pid!);
    const left = join(folder, `${processId(identity)}~3`);
    createNoteFile(left).write(formatLine(run('left')));
    expect(await findAbandonedNotes(folder)).toEqual([]);

    child.kill('SIGKILL');
    await once(child, 'exit');
    const touchedAt: unknown = expect.any(Number);
    const note = {
      path: left,
      id: basename(left),
      process: processId(identity),
      touchedAt,
      run: run('left'),
    };
    expect(await findAbandonedNotes(folder)).toEqual([note]);
    clearNote(left);
    expect(await findAbandonedNotes(folder)).toEqual([{ ...note, run: undefined }]);

    // These are a later process with the same pid, another machine, and a file that is no note.
    writeFileSync(join(folder, basename(own).replace(/~[^~]*~1$/, '~1~1')), '');
    writeFileSync(join(folder, `another-machine~1~${identity.pid}~${identity.start}~1`), '');
    writeFileSync(join(folder, 'notes.txt'), '');
    expect((await findAbandonedNotes(folder)).map(({ process }) => process).sort()).toEqual(
      [processId(identity), processId({ pid: process.pid, start: '1' })].sort(),
    );
  });

  test('of another container with this host name are left when they are not touched any more', async () => {
    const folder = noteFolder(dir.path);
    mkdirSync(folder);
    const [host, , pid, start] = processId(readIdentity(process.pid)).split('~');
    const elsewhere = (n: number, touchedAt: Date): string => {
      const path = join(folder, [host, 'elsewhere', pid, start, n].join('~'));
      createNoteFile(path).write(formatLine(run(`${n}`)));
      utimesSync(path, touchedAt, touchedAt);
      return path;
    };
    const hour = 3_600_000;
    elsewhere(1, new Date(Date.now() - hour));
    // It ended a moment ago, as when its container was restarted.
    elsewhere(2, new Date());
    // It is touched repeatedly, so it never becomes old.
    elsewhere(3, new Date(Date.now() + hour));
    const left = await findAbandonedNotes(folder, 20);
    expect(left.map((note) => note.run?.runId).sort()).toEqual(['1', '2']);

    const touched = elsewhere(4, new Date(Date.now() - hour));
    touchNote(touched);
    expect(Date.now() - statSync(touched).mtimeMs).toBeLessThan(hour / 2);
    touchNote(join(folder, 'none'));
  });

  test('are removed after a month, whichever machine they are of', () => {
    const folder = noteFolder(dir.path);
    const own = prepareNotePath(folder, 1);
    const old = join(folder, 'another-machine~1~1~1~1');
    for (const path of [own, old]) writeFileSync(path, '');
    const days = (count: number) => new Date(Date.now() - count * 86_400_000);
    utimesSync(old, days(31), days(31));
    utimesSync(own, days(29), days(29));
    removeForgottenNotes(folder, (error) => expect(error).toBeUndefined());
    expect([existsSync(own), existsSync(old)]).toEqual([true, false]);
    expect(readFileSync(own, 'utf8')).toBe('');
  });
});

describe('the watch for stalls', () => {
  let serial: Int32Array;
  let waitedMs: number;
  let lost: [serial: number, ms: number][];
  let end: () => void;
  beforeEach(() => {
    jest.useFakeTimers();
    serial = new Int32Array(new SharedArrayBuffer(4));
    waitedMs = 0;
    lost = [];
    end = watchStalls({ serial, waitedMs: () => waitedMs, onLost: (at, ms) => lost.push([at, ms]) });
  });
  afterEach(() => {
    end();
    jest.useRealTimers();
  });

  test('reports an activation from when it has lasted too long, with its time and then with what is added', () => {
    serial[0] = 7;
    jest.advanceTimersByTime(STALL_MS);
    expect(lost).toEqual([]);
    jest.advanceTimersByTime(LOOK_EVERY_MS);
    expect(lost).toEqual([[7, STALL_MS]]);
    jest.advanceTimersByTime(2 * LOOK_EVERY_MS);
    expect(lost.slice(1)).toEqual([
      [7, LOOK_EVERY_MS],
      [7, LOOK_EVERY_MS],
    ]);
    serial[0] = 8;
    jest.advanceTimersByTime(STALL_MS + LOOK_EVERY_MS);
    expect(lost.slice(3)).toEqual([[8, STALL_MS]]);
  });

  test('reports nothing while activations follow one another, or there is none', () => {
    for (let n = 1; n < 100; n += 1) {
      serial[0] = n;
      jest.advanceTimersByTime(STALL_MS - LOOK_EVERY_MS);
    }
    serial[0] = 0;
    jest.advanceTimersByTime(10 * STALL_MS);
    expect(lost).toEqual([]);
  });

  test('a pause in which the process does not run counts as one look at most', () => {
    serial[0] = 1;
    jest.advanceTimersByTime(STALL_MS - LOOK_EVERY_MS);
    // The clock is far ahead after SIGCONT, and the timer fires once.
    jest.setSystemTime(Date.now() + 600_000);
    jest.advanceTimersByTime(LOOK_EVERY_MS);
    expect(lost).toEqual([]);
  });

  test('time in which the thread waits for a processor is not its own', () => {
    serial[0] = 1;
    for (let looks = 0; looks <= STALL_MS / LOOK_EVERY_MS; looks += 1) {
      waitedMs += LOOK_EVERY_MS - 50;
      jest.advanceTimersByTime(LOOK_EVERY_MS);
    }
    expect(lost).toEqual([[1, (STALL_MS / LOOK_EVERY_MS) * 50]]);
    waitedMs += 10 * LOOK_EVERY_MS;
    jest.advanceTimersByTime(LOOK_EVERY_MS);
    expect(lost[1]).toEqual([1, 0]);
  });
});
