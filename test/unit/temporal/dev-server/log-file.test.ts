import { appendFileSync, closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { boundLog, readLastLines, readLogSize } from '../../../../temporal/dev-server/log-file';
import { makeTempDir, type TempDir } from '../../../support/temp-dir';

let folder: TempDir;
let log: string;
beforeEach(() => {
  folder = makeTempDir();
  log = join(folder.path, 'temporal.log');
});
afterEach(() => folder.remove());

test('is emptied beyond its size, also under a writer that has it open', () => {
  const writer = openSync(log, 'a');
  writeSync(writer, 'x'.repeat(100));
  boundLog(log, 100);
  expect(readLogSize(log)).toBe(100);
  boundLog(log, 99);
  writeSync(writer, 'after');
  closeSync(writer);
  expect(readFileSync(log, 'utf8')).toBe('after');
});

test('a log that is not there yet has no size and no lines', () => {
  boundLog(log);
  expect(readLogSize(log)).toBe(0);
  expect(readLastLines(log, 3)).toEqual([]);
});

test('its last lines are those after a given byte, without empty ones', () => {
  writeFileSync(log, 'old\n');
  const from = readLogSize(log);
  expect(readLastLines(log, 5, from)).toEqual([]);
  appendFileSync(log, 'one\n\ntwo\nthree');
  expect(readLastLines(log, 5, from)).toEqual(['one', 'two', 'three']);
  expect(readLastLines(log, 2, from)).toEqual(['two', 'three']);
  // The file was emptied since, so the byte is beyond its end.
  expect(readLastLines(log, 1, 10_000)).toEqual(['three']);
});
