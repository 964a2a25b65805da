import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ARCHIVE, fakeCli, type Machine, makeMachine } from './machine';

/** A compiler that cannot compile. */
const NO_GO = '#!/bin/sh\nexit 1\n';

let machine: Machine;
beforeEach(async () => {
  machine = await makeMachine();
  machine.install('go', NO_GO);
});
afterEach(() => machine.clean());

test('takes a temporal on PATH that is new enough, without a word', async () => {
  const path = machine.install('temporal', fakeCli());
  const setup = machine.ensure();
  expect(await setup.result).toBe(path);
  expect(setup.messages()).toBe('');
  expect(machine.record()).toMatchObject({ path });
  expect(machine.requests).toEqual([]);
});

test('asks a binary for its version once, and again when it has changed', async () => {
  const calls = join(machine.path, 'calls');
  const counting = (more = ''): string => `${fakeCli()}echo x >> ${calls}\n${more}`;
  machine.install('temporal', counting());
  await machine.ensure().result;
  await machine.ensure().result;
  expect(readFileSync(calls, 'utf8')).toBe('x\n');
  machine.install('temporal', counting('# changed\n'));
  await machine.ensure().result;
  expect(readFileSync(calls, 'utf8')).toBe('x\nx\n');
});

test('passes over an old temporal on PATH, saying so, and downloads', async () => {
  const old = machine.install('temporal', fakeCli('temporal version 1.1.0'));
  machine.release(fakeCli());
  const setup = machine.ensure();
  expect(await setup.result).toBe(machine.cached);
  expect(setup.messages()).toContain(`passed over: ${old} is version 1.1.0, and 1.5 or later is needed`);
  expect(setup.messages()).toMatch(
    /downloading .* server 1\.5\.1 \(about 1 MB to fetch, kept in \S+\/1\.5\.1\) \.\.\.[^]*done in/,
  );
  expect(machine.cacheFiles()).toEqual(['temporal', 'temporal/1.5.1', 'temporal/1.5.1/temporal']);
  expect(statSync(machine.cached).mode & 0o111).not.toBe(0);

  const again = machine.ensure();
  expect(await again.result).toBe(machine.cached);
  expect(again.messages()).toBe('');
});

test('TEMPORAL_CLI_PATH goes before everything, and is never replaced by something else', async () => {
  machine.install('temporal', fakeCli());
  const mine = machine.install('mine', fakeCli());
  expect(await machine.ensure({ TEMPORAL_CLI_PATH: mine }).result).toBe(mine);

  const old = machine.install('old', fakeCli('temporal version 1.0.0'));
  await expect(machine.ensure({ TEMPORAL_CLI_PATH: old }).result).rejects.toThrow(
    `TEMPORAL_CLI_PATH does not name a usable binary: ${old} is version 1.0.0`,
  );
  await expect(machine.ensure({ TEMPORAL_CLI_PATH: '/nowhere' }).result).rejects.toThrow(
    'TEMPORAL_CLI_PATH does not name a usable binary: /nowhere is not an executable file',
  );
});

test('refuses a download whose checksum is another, and leaves nothing of it', async () => {
  machine.release(fakeCli(), 'a'.repeat(64));
  await expect(machine.ensure().result).rejects.toThrow(
    /refused http\S+\.tar\.gz: its SHA-256 is [0-9a-f]{64}, and a{64} was announced/,
  );
  expect(machine.cacheFiles()).toEqual(['temporal']);
  expect(machine.record()).toBeUndefined();
});

test('refuses a download that no checksum is announced for', async () => {
  machine.release(fakeCli());
  machine.served.set('/v1.5.1/checksums.txt', '');
  await expect(machine.ensure().result).rejects.toThrow(`checksums.txt does not name ${ARCHIVE}`);
  expect(machine.requests).toEqual(['/v1.5.1/checksums.txt']);
});

test('does not keep a download that is not the Temporal CLI', async () => {
  machine.release('#!/bin/sh\necho "something else"\n');
  await expect(machine.ensure().result).rejects.toThrow('the binary is not the Temporal CLI');
  expect(machine.cacheFiles()).toEqual(['temporal']);
});

test('where nothing works, one message says what was tried and what to do', async () => {
  const setup = machine.ensure({ HOLDFAST_TEMPORAL_DOWNLOAD_BASE: 'http://127.0.0.1:1' });
  await expect(setup.result).rejects.toThrow(
    /could not be downloaded or built\.\n {2}- download: http\S+\/checksums\.txt: .+\n {2}- build: Go is not installed\nDo one of these/,
  );
  expect(setup.messages()).toContain('set TEMPORAL_ADDRESS to a Temporal server that runs already');
});
