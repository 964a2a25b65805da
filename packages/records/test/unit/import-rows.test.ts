import { importRows, type ImportedRows } from '../../domain/import/import-rows';
import type { RecordStore } from '../../stores/record-store';

/** A store without records, which takes any. */
const store = {
  get: () => Promise.resolve(undefined),
  getMany: () => Promise.resolve(new Map()),
  write: () => Promise.resolve([]),
} as unknown as RecordStore;

const read = (text: string): Promise<ImportedRows> =>
  importRows([text], {
    store,
    importId: 'one',
    startedAt: '2026-06-01T00:00:00.000Z',
    firstLine: 7,
    storeFirstLook: (lines) => Promise.resolve(lines),
  });

test.each([
  [
    '{"a":1e400}',
    undefined,
    'The row cannot be read: the number 1e400 at line 1, column 6 is beyond the range of numbers',
  ],
  [String.raw`{"collection":"shipments","tags":["\ud83d"]}`, 'tags[0]', 'must have no lone surrogates'],
  ['\ufffd', undefined, 'The row is not JSON'],
])('the row %s is refused', async (text, field, message) => {
  expect(await read(text)).toEqual({
    created: 0,
    present: 0,
    errors: [{ line: 7, error: 'Validation error', message, field }],
  });
});
