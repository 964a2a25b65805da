import { createMemoryImportRuns } from '../../../../api/memory/import-runs';
import type { ImportReport } from '../../../../src/contracts/http/imports';
import { type MemoryImportCounts, NO_MEMORIES_IMPORTED } from '../../../../src/contracts/http/memory-imports';
import type { ImportRuns, RequestedImport } from '../../../../api/runs/import-runs';
import { createPseudonyms } from '../../../../src/secrets/pseudonyms';
import { createRequestContext } from '../../../support/request-context';

const REPORT: ImportReport<MemoryImportCounts> = {
  ...NO_MEMORIES_IMPORTED,
  id: 'one',
  state: 'running',
  startedAt: '2026-01-01T00:00:00.000Z',
  bytesDone: 0,
  bytesTotal: 4,
  errors: [],
};
const pseudonyms = createPseudonyms(Buffer.alloc(32, 1));
const user = pseudonyms('run-user', 'ada');

const body = async function* () {
  yield Buffer.from('{}');
};

/** Imports whose user is erased from the nth look on. */
function importsErasedAt(nth: number) {
  const asked: RequestedImport[] = [];
  const of: string[] = [];
  let looks = 0;
  const importsOf = (owner: string): ImportRuns<MemoryImportCounts> => {
    of.push(owner);
    return {
      async start(_body, request) {
        asked.push(request);
        await request.prepare({ importId: 'one', startedAt: REPORT.startedAt });
        return REPORT;
      },
      report: () => Promise.resolve(REPORT),
    };
  };
  const runs = createMemoryImportRuns({
    importsOf,
    pseudonyms,
    isErasing: () => Promise.resolve((looks += 1) >= nth),
  });
  return { runs, asked, of, start: () => runs.start('ada', body(), createRequestContext()) };
}

test('the run of an import belongs to its user, also where another caller starts it', async () => {
  const { runs, asked, of, start } = importsErasedAt(9);
  expect(await start()).toEqual({ ...REPORT, userId: 'ada' });
  expect(asked[0]?.prefix).toBe(`user/${user}/import-memories`);
  const { input, ...run } = await asked[0]!.prepare({ importId: 'two', startedAt: REPORT.startedAt });
  expect(run).toMatchObject({ workflowType: 'importMemories', subject: { area: 'memory', user } });
  expect(input).toMatchObject({ userId: 'ada', importId: 'two', phase: 'memories', offset: 0 });
  expect(await runs.report('ada', 'one')).toEqual({ ...REPORT, userId: 'ada' });
  expect(new Set(of)).toEqual(new Set([user]));
});

test('nothing is received for a user who is being erased, and no run is started where that begins meanwhile', async () => {
  const before = importsErasedAt(1);
  await expect(before.start()).rejects.toMatchObject({ code: 'MEMORY_ERASING' });
  expect(before.asked).toEqual([]);
  await expect(importsErasedAt(2).start()).rejects.toMatchObject({ code: 'MEMORY_ERASING' });
});
