import { claimDataDir } from '../../../../../temporal/dev-server/data-dir-claim';
import { childMain } from '../../../../contract/support/child-main';

/** Claims a folder when the gate opens, and prints the result before it ends. */
childMain(async (dataDir, gate) => {
  await gate();
  try {
    return { orphan: (await claimDataDir(String(dataDir))).orphan?.pid ?? null };
  } catch (error) {
    return { refused: (error as Error).message };
  }
});
