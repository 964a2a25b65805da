import { openOldFolder } from '../../support/data-folders';
import { expectHeld } from './held';

/** Each folder was made by the last build before the change of which it says. */
test.each([
  ['2943d44f', 'the first that could start'],
  ['fb4f265d', 'before codes of vectors were in chunks, without records and turns'],
  ['08d833ba', 'before each process counted apart and codes were in rows; killed'],
  ['b4385c01', 'before the search attribute HoldfastWaiting'],
])('the folder of %s starts: %s', async (commit) => {
  const folder = await openOldFolder(commit);
  try {
    await expectHeld(folder);
  } finally {
    await folder.stop();
  }
});
