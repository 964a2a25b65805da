import { CONFLICT, untilNoConflict } from '../../../src/stores/compare-and-set';
import type { DocumentStore } from '../../../src/stores/documents';
import { childMain } from '../support/child-main';
import type { DocumentStoreAddress } from '../support/harness';

interface IncrementArgument {
  readonly address: DocumentStoreAddress;
  readonly times: number;
}

/** Adds one to a shared number, many times. Prints a line after each tenth, so that the parent sees that it goes on. */
childMain(async (argument, gate) => {
  const { address, times } = argument as IncrementArgument;
  const module = (await import(address.module)) as Record<string, (settings: unknown) => DocumentStore>;
  const store = module[address.factory]?.(address.settings);
  if (store === undefined) throw new Error(`${address.module} has no ${address.factory}`);
  await store.ping();
  await gate();
  for (let done = 0; done < times; done += 1) {
    await untilNoConflict('the number', async () => {
      const found = await store.get<number>('counters', 'shared');
      const value = (found?.value ?? 0) + 1;
      const ifVersion = found?.version ?? 0;
      const put = { type: 'put', collection: 'counters', key: 'shared', value, ifVersion } as const;
      return (await store.write([put], { durability: 'process' })) ? undefined : CONFLICT;
    });
    if (done % 10 === 9) console.log(done + 1);
  }
  await store.close();
});
