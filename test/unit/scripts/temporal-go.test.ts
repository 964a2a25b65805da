import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '../../support/wait';
import { fakeCli, type Machine, makeMachine } from './machine';

let machine: Machine;
let builds: string;
beforeEach(async () => {
  machine = await makeMachine();
  builds = join(machine.path, 'builds');
});
afterEach(() => machine.clean());

/**
 * A stand-in for the compiler that records each build, runs `midway` when half of the binary is written, and completes
 * it.
 */
function installGo(midway = ''): void {
  const binary = join(machine.path, 'built');
  writeFileSync(binary, fakeCli());
  machine.install(
    'go',
    `#!/bin/sh
if [ "$1" = version ]; then echo "go version go1.26.0 linux/amd64"; exit 0; fi
echo "$@" >> ${builds}
echo "go: downloading a/module v1" >&2
head -c 10 ${binary} > "$GOBIN/temporal"; chmod 755 "$GOBIN/temporal"
echo "a/package" >&2
${midway}
cp ${binary} "$GOBIN/temporal"
`,
  );
}

const countBuilds = (): number =>
  existsSync(builds) ? readFileSync(builds, 'utf8').trim().split('\n').length : 0;

test('builds with Go where nothing can be downloaded', async () => {
  installGo();
  const setup = machine.ensure();
  expect(await setup.result).toBe(machine.cached);
  expect(readFileSync(builds, 'utf8')).toBe('install -v github.com/temporalio/cli/cmd/temporal@v1.5.1\n');
  expect(setup.messages()).toMatch(
    /no download of .*checksums\.txt: HTTP 404\n.*building .*with Go \(about 290 MB to fetch, about 10 minutes on 2 cores, kept in \S+\/1\.5\.1 \(250 MB\)\) \.\.\./,
  );
  expect(machine.cacheFiles()).toEqual(['temporal', 'temporal/1.5.1', 'temporal/1.5.1/temporal']);
});

test('two at once build once', async () => {
  installGo();
  const both = [machine.ensure(), machine.ensure()];
  expect(await Promise.all(both.map((setup) => setup.result))).toEqual([machine.cached, machine.cached]);
  expect(countBuilds()).toBe(1);
});

test('a half-written binary is never in place, and a build that was interrupted is done again', async () => {
  // Each build has its own file, because a line may still reach the build that read the one before.
  const gates = [1, 2].map((build) => join(machine.path, `gate-${build}`));
  execFileSync('mkfifo', gates);
  const midway = join(machine.path, 'midway');
  installGo(`touch ${midway}; read -r line < ${join(machine.path, 'gate')}-$(grep -c install ${builds})`);
  const first = machine.ensure();
  // A compiler that still prints when the set-up is killed ends with it, because nothing reads its output any more.
  await waitFor(() => existsSync(midway), { what: 'the compiler to be at the gate' });
  expect(countBuilds()).toBe(1);
  const half = machine.cacheFiles().find((file) => file.endsWith('/bin/temporal'));
  expect(half).toMatch(/^temporal\/incoming-/);
  expect(existsSync(machine.cached)).toBe(false);
  first.kill();
  await first.result.catch(() => undefined);
  expect(existsSync(machine.cached)).toBe(false);

  // The compiler outlives the killed set-up: the next set-up waits for it before it builds again.
  const second = machine.ensure();
  await waitFor(() => second.messages().includes('waiting for process'), { what: 'the second to wait' });
  expect(countBuilds()).toBe(1);
  await writeFile(gates[0]!, 'continue\n');
  await waitFor(() => countBuilds() === 2, { what: 'the second build' });
  expect(existsSync(machine.cached)).toBe(false);
  await writeFile(gates[1]!, 'continue\n');
  expect(await second.result).toBe(machine.cached);
  expect(machine.cacheFiles()).toEqual(['temporal', 'temporal/1.5.1', 'temporal/1.5.1/temporal']);
});

test('a failed build tells the last lines of the compiler', async () => {
  installGo('echo "no space left" >&2; exit 2');
  await expect(machine.ensure().result).rejects.toThrow(/- build: go install .* failed:[^]*no space left/);
  expect(machine.cacheFiles()).toEqual(['temporal']);
});

test('ends the compiler before it ends itself on a signal, and frees the lock', async () => {
  installGo(`exec tail -f /dev/null`);
  const setup = machine.ensure();
  await waitFor(() => countBuilds() === 1, { what: 'the build to begin' });
  process.kill(setup.pid, 'SIGTERM');
  await expect(setup.result).rejects.toThrow('ended with 143');
  expect(machine.cacheFiles().filter((file) => file.endsWith('.lock'))).toEqual([]);
});
