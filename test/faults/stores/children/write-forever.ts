import { promisify } from 'node:util';
import { createDocumentStore } from '../../../../src/factories/create-stores';
import type { Durability, DocumentWrite } from '../../../../src/stores/documents';
import { childMain } from '../../../contract/support/child-main';

interface WriteForeverArgument {
  readonly path: string;
  readonly durability: Durability;
}

const print = promisify((line: string, done: () => void) => process.stdout.write(line, done));

/** Writes pairs of documents until it is killed, and prints the number of each pair that was acknowledged. */
childMain(async (argument) => {
  const { path, durability } = argument as WriteForeverArgument;
  const store = createDocumentStore({ path });
  const filler = 'x'.repeat(2_000);
  for (let number = 0; ; number += 1) {
    const document = (half: string): DocumentWrite => {
      return { type: 'put', collection: half, key: String(number), value: { number, filler } };
    };
    if (!(await store.write([document('left'), document('right')], { durability })))
      throw new Error('refused');
    // A SQLite write never leaves the thread, so without this wait the loop would hold the event loop for ever, and a
    // line that the parent's full pipe refused at first would never be sent.
    await print(`${number}\n`);
  }
});
