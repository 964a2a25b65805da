import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findServerUser, makeFolderFor } from '../../../cluster/engine/server-user';
import { makeTempDir, type TempDir } from '../../support/temp-dir';

/** Only root can give a folder to another user. */
const asRoot = process.getuid?.() === 0 ? test : test.skip;
const USER = { name: 'nobody', uid: 65_534, gid: 65_534 };

let dir: TempDir;
beforeEach(() => {
  dir = makeTempDir();
});
afterEach(() => dir.remove());

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test('a folder for whoever runs the cluster is looked into by nobody else', () => {
  const folder = join(dir.path, 'data', 'postgres');
  makeFolderFor(folder, dir.path, undefined);
  expect(modeOf(folder)).toBe(0o700);
});

asRoot(
  'the user of the package goes before the one that is everywhere, and one of them has to be there',
  () => {
    const passwd = join(dir.path, 'passwd');
    writeFileSync(passwd, 'root:x:0:0::/:/bin/sh\nnobody:x:9:8::/:/bin/false\npostgres:x:7:6::/:/bin/sh\n');
    expect(findServerUser(passwd)).toEqual({ name: 'postgres', uid: 7, gid: 6 });
    writeFileSync(passwd, 'root:x:0:0::/:/bin/sh\n');
    expect(() => findServerUser(passwd)).toThrow(
      /cannot run as root, and there is no user postgres or nobody/,
    );
  },
);

asRoot("what is the cluster's own lets the user's group pass where root alone could", () => {
  const folder = join(dir.path, 'cluster', 'postgres');
  makeFolderFor(folder, dir.path, USER);
  expect([statSync(folder).uid, modeOf(folder)]).toEqual([USER.uid, 0o700]);
  // Before the call only root could open the folder of the test.
  expect([statSync(dir.path).gid, modeOf(dir.path)]).toEqual([USER.gid, 0o710]);
  makeFolderFor(folder, dir.path, USER);
  expect(modeOf(dir.path)).toBe(0o710);
});

asRoot('permissions that somebody chose, and folders above, are left as they are and told', () => {
  const own = join(dir.path, 'data');
  mkdirSync(own, { mode: 0o755 });
  const folder = join(own, 'postgres');
  expect(() => makeFolderFor(folder, own, USER)).toThrow(
    new RegExp(`the user nobody.* cannot pass through ${dir.path} .*chmod o\\+x ${dir.path}.*DATA_DIR`),
  );
  expect(modeOf(dir.path)).toBe(0o700);

  chmodSync(dir.path, 0o711);
  chmodSync(own, 0o740);
  expect(() => makeFolderFor(folder, own, USER)).toThrow(`cannot pass through ${own} `);
  expect(modeOf(own)).toBe(0o740);
  expect(existsSync(folder)).toBe(true);
});
