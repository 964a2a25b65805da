import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeClusterFolder } from '../../../cluster/files/folder';
import { makeTempDir, type TempDir } from '../../support/temp-dir';

let dir: TempDir;
beforeEach(() => (dir = makeTempDir()));
afterEach(() => dir.remove());

const at = (...parts: string[]): string => join(dir.path, ...parts);
const modes = (...paths: string[]): string[] =>
  paths.map((path) => (statSync(at(path)).mode & 0o777).toString(8));

test('nobody else may look into the data, and folders above it are as any other', () => {
  expect(makeClusterFolder({ DATA_DIR: at('above', 'data') })).toBe(at('above', 'data', 'cluster'));
  expect(modes('above/data', 'above/data/cluster', 'above/data/cluster/neo4j')).toEqual([
    '700',
    '700',
    '700',
  ]);
  mkdirSync(at('any'));
  expect(modes('above')).toEqual(modes('any'));
});

test('what could be read is closed; who was let through stays so', () => {
  for (const path of ['data', 'data/cluster', 'data/cluster/neo4j']) {
    mkdirSync(at(path));
    chmodSync(at(path), 0o755);
  }
  makeClusterFolder({ DATA_DIR: at('data') });
  expect(modes('data', 'data/cluster', 'data/cluster/neo4j')).toEqual(['755', '700', '700']);
  chmodSync(at('data/cluster'), 0o710);
  makeClusterFolder({ DATA_DIR: at('data') });
  expect(modes('data/cluster')).toEqual(['710']);
});

test('a place that is no folder is told with its setting', () => {
  writeFileSync(at('file'), '');
  expect(() => makeClusterFolder({ DATA_DIR: at('file') })).toThrow(
    expect.objectContaining({
      code: 'CONFIGURATION',
      message: expect.stringMatching(/^DATA_DIR \(.*file\) cannot be used: /),
    }),
  );
});
