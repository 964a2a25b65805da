import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../../../test/support/free-port';
import { openRecords, type RecordsApi } from '../support/records-api';
import { type Key, runKeys } from '../../../../test/support/keys';
import { startService } from '../../../../test/support/service';

const run = promisify(execFile);
const ROOT = resolve(__dirname, '../../../..');

let records: RecordsApi;

beforeAll(async () => {
  records = await openRecords();
});
afterAll(() => records.close());

const demo = (port: string, ...args: string[]) =>
  run(process.execPath, ['dist/packages/records/bin/demo.js', ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], RECORDS_PORT: port },
  });

test('npm run demo fills the API once, and what it prints can be run', async () => {
  const { port } = new URL(records.url);
  const first = await demo(port);
  expect(first.stdout).toMatch(/^28 records created at http:\/\/127\.0\.0\.1:\d+, 0 were there already\.$/m);
  expect((await demo(port)).stdout).toMatch(/^0 records created at .*, 28 were there already\.$/m);

  const commands = first.stdout.split('\n').filter((line) => line.startsWith('curl '));
  expect(commands).toHaveLength(7);
  const answers = [];
  for (const command of commands) {
    const { stdout } = await run('sh', ['-c', command]);
    answers.push(JSON.parse(stdout));
  }
  for (const answer of answers) expect(answer).toMatchObject({ success: true });
  expect(answers[0].data.downstream.facilities).toHaveLength(4);
  expect(answers[3].data.shipments).toMatchObject([{ id: 'geneva-0421' }]);
  expect(answers[4].data.shipments).toMatchObject([{ id: 'lyon-0414' }]);
  expect(answers.at(-1).data).toMatchObject({ id: 'geneva-0421', status: 'held', version: 2 });
});

test('says in one line what to do where nobody answers', async () => {
  const failed = await demo(String(await freePort())).catch((error: unknown) => error as { stderr: string });
  expect(failed.stderr).toMatch(
    /^demo: The records API at http:\/\/127\.0\.0\.1:\d+ cannot be filled .*RECORDS_PORT.*\n$/,
  );
});

test('says in one line which option it does not know', async () => {
  const failed = await demo('1', '--kee', 'KEY').catch((error: unknown) => error as { stderr: string });
  expect(failed.stderr).toMatch(/^demo: Unknown option '--kee'.*\n$/);
});

test('with a key it fills an API whose callers are authenticated, and its calls take that key', async () => {
  const service = await startService({ AUTH: 'keys' });
  try {
    const { port } = new URL(service.recordsUrl);
    const failed = await demo(port).catch((error: unknown) => error as { stderr: string });
    expect(failed.stderr).toMatch(/^demo: .* \(it answered 401\): name a key .*--key KEY\n$/);
    const created = ['create', '--name', 'demo', '--scopes', 'records'];
    const { key } = await runKeys<Key>(service.dataDir, ...created);
    const { stdout } = await demo(port, '--key', key);
    expect(stdout).toMatch(/^28 records created at/);
    expect(stdout).not.toContain(key);
    for (const command of stdout.split('\n').filter((line) => line.startsWith('curl '))) {
      const answer = await run('sh', ['-c', command], { env: { ...process.env, KEY: key } });
      expect(JSON.parse(answer.stdout)).toMatchObject({ success: true });
    }
  } finally {
    await service.stop();
  }
});
