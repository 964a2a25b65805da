import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findTemporalCli } from '../../../../temporal/dev-server/find-cli';
import { makeTempDir, type TempDir } from '../../../support/temp-dir';

let root: TempDir;
beforeEach(() => {
  root = makeTempDir();
  mkdirSync(join(root.path, 'dist'));
});
afterEach(() => root.remove());

const record = (text: string): void => writeFileSync(join(root.path, 'dist', 'temporal-cli.json'), text);

test('is the binary that the set-up recorded', () => {
  const binary = join(root.path, 'temporal');
  writeFileSync(binary, '');
  chmodSync(binary, 0o755);
  record(JSON.stringify({ path: binary }));
  expect(findTemporalCli(undefined, root.path)).toBe(binary);
});

test.each([
  ['no record', undefined, 'has not been set up'],
  ['a broken record', '{"path"', 'has not been set up'],
  ['a record without a path', 'null', 'has not been set up'],
  ['a binary that is gone', '{"path":"/nowhere/temporal"}', 'has gone from /nowhere/temporal'],
])('with %s, one line says what to do', (_case, text, expected) => {
  if (text !== undefined) record(text);
  expect(() => findTemporalCli(undefined, root.path)).toThrow(
    expect.objectContaining({
      code: 'CONFIGURATION',
      message: expect.stringMatching(new RegExp(`${expected}\\. Run \`npm run setup\`.*TEMPORAL_ADDRESS`)),
    }),
  );
});
