import { join } from 'node:path';
import { createDocumentStore } from '../../../src/factories/create-stores';
import { openDatabase } from '../../../src/stores/sqlite/database';
import { startChild } from '../../contract/support/child-process';
import { temporaryFolder } from '../../contract/support/temporary-folder';

const WRITE_FOREVER = join(__dirname, 'children', 'write-forever.ts');

describe('a writer killed in the middle of its work', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());

  it.each([
    ['full', 60],
    ['full', 333],
    ['process', 60],
    ['process', 1_500],
  ] as const)('loses nothing it acknowledged (%s, after %i writes)', async (durability, writes) => {
    const path = folder.file(`${durability}-${writes}.db`);
    const child = startChild(WRITE_FOREVER, { path, durability });
    const acknowledged: number[] = [];
    while (acknowledged.length < writes) acknowledged.push(Number(await child.nextLine()));
    await child.kill();
    for (let line = await child.nextLine(); line !== undefined; line = await child.nextLine()) {
      acknowledged.push(Number(line));
    }

    const store = createDocumentStore({ path });
    for (const number of acknowledged) {
      expect((await store.get<{ number: number }>('left', String(number)))?.value.number).toBe(number);
    }
    // One more write may be stored and not yet acknowledged, but never half of it.
    const after = String(acknowledged.length);
    expect((await store.get('left', after))?.version).toBe((await store.get('right', after))?.version);
    expect(await store.write([{ type: 'put', collection: 'left', key: 'new', value: 1 }])).toBe(true);
    await store.close();

    const database = openDatabase(path, { busyTimeoutMs: 0 });
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    database.close();
  });
});
