import { ChangeQueue } from '../../../src/stores/sqlite/change-queue';
import { openDatabase, type SqliteDatabase } from '../../../src/stores/sqlite/database';
import { SqliteFile } from '../../../src/stores/sqlite/sqlite-file';
import { temporaryFolder } from '../../contract/support/temporary-folder';

class Numbers {
  constructor(readonly database: SqliteDatabase) {}

  add(number: number): number {
    this.database.prepare('INSERT INTO numbers (number) VALUES (?)').run(number);
    return number;
  }
  all(): number[] {
    return this.database.prepare<[], number>('SELECT number FROM numbers').pluck().all();
  }
}

/** Counts the transactions, each of which is one write. */
class CountedFile extends SqliteFile<Numbers> {
  transactions = 0;

  override write<T>(operation: (prepared: Numbers, database: SqliteDatabase) => T): Promise<T> {
    this.transactions += 1;
    return super.write(operation);
  }
}

describe('a queue of changes', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let file: CountedFile;
  let queue: ChangeQueue<Numbers>;
  let numbers: Numbers;
  let clock: number;
  beforeEach(async () => {
    folder = temporaryFolder();
    file = new CountedFile({
      path: folder.file('numbers.db'),
      busyTimeoutMs: 150,
      migrations: [
        { name: 'numbers', up: (database) => void database.exec('CREATE TABLE numbers (number INTEGER)') },
      ],
      prepare: (database) => new Numbers(database),
    });
    clock = 0;
    queue = new ChangeQueue(file, { now: () => clock });
    numbers = await file.read((prepared) => prepared);
  });
  afterEach(() => {
    file.close();
    folder.remove();
  });

  it('does in one transaction, in order, what comes in together', async () => {
    const added = [1, 2, 3].map((number) => queue.add((prepared) => prepared.add(number)));
    expect(await Promise.all(added)).toEqual([1, 2, 3]);
    expect(numbers.all()).toEqual([1, 2, 3]);
    expect(file.transactions).toBe(1);
    expect(await queue.add((prepared) => prepared.add(4))).toBe(4);
    expect(file.transactions).toBe(2);
  });

  it('takes back a change that throws, and keeps those around it', async () => {
    const refused = (prepared: Numbers): never => {
      prepared.add(13);
      throw new RangeError('not this one');
    };
    const results = await Promise.allSettled([
      queue.add((prepared) => prepared.add(1)),
      queue.add(refused),
      queue.add((prepared) => prepared.add(2)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { message: 'not this one' } });
    expect(numbers.all()).toEqual([1, 2]);
    await expect(queue.add(refused)).rejects.toThrow(new RangeError('not this one'));
    expect(numbers.all()).toEqual([1, 2]);
    expect(await queue.add((prepared) => prepared.add(3))).toBe(3);
  });

  it('keeps nothing of a transaction that the file could not take, and says so to all of it', async () => {
    const full = (): never => {
      throw Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' });
    };
    const results = await Promise.allSettled([queue.add((prepared) => prepared.add(1)), queue.add(full)]);
    for (const result of results) {
      expect(result).toMatchObject({
        status: 'rejected',
        reason: { code: 'STORE_UNAVAILABLE', retryable: true },
      });
    }
    expect(await file.read((prepared) => prepared.all())).toEqual([]);
    expect(await queue.add((prepared) => prepared.add(2))).toBe(2);
  });

  it('does no more in a transaction that has taken long', async () => {
    const take = (ms: number) => () => {
      clock += ms;
      return file.transactions;
    };
    const added = [5, 5, 1, 11, 1].map((ms) => queue.add(take(ms)));
    expect(await Promise.all(added)).toEqual([1, 1, 1, 2, 3]);
  });

  it('leaves other processes, which poll for the lock, more time after it held the lock for long', async () => {
    let ended = 0;
    await Promise.all([
      queue.add(() => {
        clock += 200;
        ended = performance.now();
      }),
      queue.add(() => undefined),
    ]);
    // Timers may fire a millisecond early.
    expect(performance.now() - ended).toBeGreaterThan(19);
  });

  it('gives up on a locked file for all that wait, each told once, and works again when it is free', async () => {
    const holder = openDatabase(folder.file('numbers.db'), { busyTimeoutMs: 0 });
    holder.exec('BEGIN IMMEDIATE');
    const results = await Promise.allSettled([1, 2, 3].map((number) => queue.add((it) => it.add(number))));
    for (const result of results) {
      expect(result).toMatchObject({ status: 'rejected', reason: { message: 'The data store is busy' } });
    }
    holder.exec('ROLLBACK');
    holder.close();
    await queue.add((prepared) => prepared.add(4));
    expect(numbers.all()).toEqual([4]);
  });
});
