import { join } from 'node:path';
import { runModule } from '../../support/run-module';

test('the cache is an absolute path, because Go refuses another one and Maven starts it elsewhere', async () => {
  const { result } = runModule(
    ['setup/paths.mjs'],
    `return ['near', '/far'].map((folder) => scripts.cacheFolder({ HOLDFAST_CACHE_DIR: folder }));`,
  );
  expect(await result).toEqual([join(process.cwd(), 'near'), '/far']);
});
