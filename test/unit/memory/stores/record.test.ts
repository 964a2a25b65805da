import { createStoreRecords } from '../../../../src/memory/stores/record';
import { secretsOf } from '../../../support/secrets';
import { testStores } from '../../tools/registry-fixtures';

test('a process with another key keeps the former stores that it cannot read, until it names stores itself', async () => {
  const stores = testStores();
  try {
    const documents = stores.connect();
    const open = (key: string) =>
      createStoreRecords({ documents, ...secretsOf(Buffer.alloc(32, key)), toFormer: () => [] });
    const [own, other] = [open('a'), open('b')];
    const former = [{ store: 'graphdb', place: 'embedded', key: 'k', heldMemories: true } as const];
    expect(await own.write({ version: 0, initializations: [], former })).toBe(true);
    const read = await other.read();
    expect([read.former, read.unreadable?.code]).toEqual([[], expect.any(String)]);
    expect(await other.write({ ...read, next: undefined })).toBe(true);
    expect(await own.read()).toMatchObject({ version: 2, former, unreadable: undefined });
    expect(await other.write({ version: 2, initializations: [], former: [] })).toBe(true);
    expect((await own.read()).former).toEqual([]);
  } finally {
    await stores.dispose();
  }
});
