import { openOldFolder } from '../../support/data-folders';
import { expectHeld } from './held';

/** Each folder was made by the last build before the change of which it says. */
test.each([
  ['7d9be481', 'before keys had a tenant'],
  ['44cde3bb', 'before facts were drawn'],
  ['2f40cab1', 'before facts and archived copies belonged to a graph'],
  ['ba6ef708', 'with all forms of 26 November'],
])('the folder of %s starts: %s', async (commit) => {
  const folder = await openOldFolder(commit);
  try {
    await expectHeld(folder);
  } finally {
    await folder.stop();
  }
});
