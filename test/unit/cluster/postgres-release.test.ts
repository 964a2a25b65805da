import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgramsFor } from '../../../cluster/engine/postgres-release';
import { makeTempDir, type TempDir } from '../../support/temp-dir';

let dir: TempDir;
beforeEach(() => {
  dir = makeTempDir();
  mkdirSync(join(dir.path, 'data'));
});
afterEach(() => dir.remove());

const data = (): string => join(dir.path, 'data');

/** Creates the programs of a release where Debian puts them. */
function install(release: string): string {
  const bin = join(dir.path, release, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'postgres'), `#!/bin/sh\necho 'postgres (PostgreSQL) ${release}.4 (Debian)'\n`);
  chmodSync(join(bin, 'postgres'), 0o755);
  return bin;
}

const chosen = (found: string): Promise<string> => findProgramsFor(data(), found, dir.path);
const madeBy = (release: string): void => writeFileSync(join(data(), 'PG_VERSION'), `${release}\n`);

test('new data are made by what was found', async () => {
  expect(await chosen(install('17'))).toBe(join(dir.path, '17', 'bin'));
});

test('data of before go on with their own release, which may not be the latest', async () => {
  const [older, newer] = [install('15'), install('17')];
  madeBy('15');
  expect([await chosen(newer), await chosen(older)]).toEqual([older, older]);
});

test('where that is gone, what to do is told in one line', async () => {
  madeBy('15');
  await expect(chosen(install('17'))).rejects.toMatchObject({
    code: 'CONFIGURATION',
    message: expect.stringMatching(
      /^The data in .* are of PostgreSQL 15, and the programs in .* of 17: install/,
    ),
  });
});
