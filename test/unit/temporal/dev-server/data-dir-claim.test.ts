import { chmodSync, readFileSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claimDataDir } from '../../../../temporal/dev-server/data-dir-claim';
import { startChild } from '../../../contract/support/child-process';
import { makeTempDir, type TempDir } from '../../../support/temp-dir';
import { readIdentity } from '../../../../temporal/dev-server/stop-process';

const CLAIM = join(__dirname, 'children', 'claim.ts');
const NO_PROCESS = { pid: 4_194_303, start: '1' };
const SERVER = { port: 1, uiPort: 2, command: ['temporal'] };

let folder: TempDir;
let file: string;
beforeEach(() => {
  folder = makeTempDir();
  file = join(folder.path, 'temporal.pid');
});
afterEach(() => folder.remove());

test('a folder without a record is free, and so is one that was given back', async () => {
  const claim = await claimDataDir(join(folder.path, 'made', 'here'));
  expect(claim.orphan).toBeUndefined();
  claim.release();
  expect(readdirSync(join(folder.path, 'made', 'here'))).toEqual([]);
});

test('a folder that a claim makes is closed to other users, and one that exists keeps its mode', async () => {
  const made = join(folder.path, 'made');
  (await claimDataDir(made)).release();
  expect(statSync(made).mode & 0o777).toBe(0o700);
  chmodSync(made, 0o755);
  (await claimDataDir(made)).release();
  expect(statSync(made).mode & 0o777).toBe(0o755);
});

test('a claimed folder is refused while its owner lives', async () => {
  await claimDataDir(folder.path);
  await expect(claimDataDir(folder.path)).rejects.toThrow(
    `is in use by another holdfast, process ${process.pid}.`,
  );
});

test('the running server of an owner that is gone is handed over', async () => {
  const server = { ...SERVER, ...readIdentity(process.pid) };
  writeFileSync(file, JSON.stringify({ owner: NO_PROCESS, server }));
  expect((await claimDataDir(folder.path)).orphan).toEqual(server);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ owner: { pid: process.pid }, server });
});

test.each([
  ['whose server is gone too', { owner: NO_PROCESS, server: { ...SERVER, ...NO_PROCESS } }],
  // A reused pid looks like this: our own pid with another start time.
  [
    'whose pids others have now',
    { owner: { pid: process.pid, start: '1' }, server: { ...SERVER, pid: process.pid, start: '1' } },
  ],
  ['without an owner', { server: { ...SERVER, ...NO_PROCESS } }],
  ['of another shape', { owner: 7, server: [] }],
  ['that is null', null],
])('a record %s is taken over', async (_case, content) => {
  writeFileSync(file, JSON.stringify(content));
  expect((await claimDataDir(folder.path)).orphan).toBeUndefined();
});

test('a record that is cut short is taken over', async () => {
  writeFileSync(file, '{"owner":{"pi');
  expect((await claimDataDir(folder.path)).orphan).toBeUndefined();
});

test('a folder that cannot be made is named', async () => {
  writeFileSync(file, '');
  await expect(claimDataDir(join(file, 'below'))).rejects.toMatchObject({
    code: 'CONFIGURATION',
    message: expect.stringMatching(/^DATA_DIR \(.+\) cannot be used: E/),
  });
});

test('a mutex of a process that was killed while it held it is overcome', async () => {
  const mutex = `${file}.lock`;
  writeFileSync(mutex, '');
  const before = new Date(Date.now() - 60_000);
  utimesSync(mutex, before, before);
  await claimDataDir(folder.path);
  expect(readdirSync(folder.path)).toEqual(['temporal.pid']);
});

test('the record of a server that still runs stays when the folder is given back', async () => {
  const claim = await claimDataDir(folder.path);
  claim.save({ ...SERVER, ...readIdentity(process.pid) });
  claim.release();
  expect(readdirSync(folder.path)).toEqual(['temporal.pid']);
  claim.save(undefined);
  claim.release();
  expect(readdirSync(folder.path)).toEqual([]);
});

test('of several that claim a stale folder at once, one gets it at a time', async () => {
  writeFileSync(
    file,
    JSON.stringify({ owner: NO_PROCESS, server: { ...SERVER, ...readIdentity(process.pid) } }),
  );
  const children = [0, 1, 2].map(() => startChild(CLAIM, folder.path));
  await Promise.all(children.map((child) => child.ready()));
  for (const child of children) child.go();
  const results = (await Promise.all(children.map((child) => child.result()))) as {
    orphan?: number;
    refused?: string;
  }[];
  // A child that ends frees the folder for the next child, which then still finds the server.
  const claimed = results.filter((result) => result.refused === undefined);
  expect(claimed.length).toBeGreaterThan(0);
  for (const result of claimed) expect(result.orphan).toBe(process.pid);
  for (const { refused } of results) if (refused !== undefined) expect(refused).toContain('in use');
});
