import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createDocumentStore } from '../../../../src/factories/create-stores';
import { createStoreConfiguration } from '../../../../src/memory/stores/configuration';
import { createStoreRecords, type StoreRecord } from '../../../../src/memory/stores/record';
import type { StoreChanges } from '../../../../src/memory/stores/store-changes';
import { createSecretBox } from '../../../../src/secrets/secret-box';
import { makeTempDir } from '../../../support/temp-dir';

test('an initialization by another process counts at once, although the record is known for a while', async () => {
  const dir = makeTempDir();
  const documents = createDocumentStore({ path: join(dir.path, 'holdfast.db') });
  try {
    const secrets = createSecretBox(randomBytes(32));
    const [mine, theirs] = [1, 2].map(() => createStoreRecords({ documents, secrets, toFormer: () => [] }));
    const known: StoreRecord = await mine!.read();
    const nothing = {} as never;
    const configuration = createStoreConfiguration({
      changes: {
        record: () => Promise.resolve(known),
        readNow: () => mine!.read(),
      } as Partial<StoreChanges> as StoreChanges,
      current: nothing,
      open: nothing,
      resolve: nothing,
      checkNamed: nothing,
      checkAddress: nothing,
      allowPrivate: false,
    });
    await expect(configuration.requireInitialized('memory-chat')).rejects.toMatchObject({
      code: 'MEMORY_CHAT_NOT_INITIALIZED',
    });
    const initializations = [{ area: 'memory-chat' as const, at: new Date(0).toISOString(), settings: {} }];
    expect(await theirs!.write({ version: 0, initializations, former: [] })).toBe(true);
    await configuration.requireInitialized('memory-chat');
  } finally {
    await documents.close();
    dir.remove();
  }
});
