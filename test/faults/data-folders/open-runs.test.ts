import { answerApproval } from '../../support/approvals';
import { type OldFolder, openOldFolder, type OpenRun } from '../../support/data-folders';
import { waitFor } from '../../support/wait';
import { expectHeld } from './held';

/**
 * The folder of a build of 24 November, before keys, whose approvals may wait for 20 years. Its runs wait for a person. The
 * workflows were changed to sleep first in one of them, which today's do not.
 */
let folder: OldFolder;
beforeAll(async () => {
  folder = await openOldFolder('e8ba4d5a');
});
afterAll(() => folder.stop());

const runOf = (name: string): OpenRun => folder.holds.open![name]!;

async function approve({ approvals: [id] }: OpenRun): Promise<void> {
  const answer = await answerApproval(folder.api, { id: id! }, { decision: 'approve' });
  expect(answer.status).toBe(200);
}

function untilClosed({ traceId }: OpenRun) {
  return waitFor(
    async () => {
      const { body } = await folder.api.get(`/api/runs/${traceId}`);
      return body.data.closedAt === null ? undefined : body.data;
    },
    { what: 'the run to end' },
  );
}

test('stored data of a folder with open runs is there', () => expectHeld(folder));

test.each([
  ['call', { result: 2 }],
  ['sequence', { results: [{ data: { result: 3 } }, {}, { data: { result: 2 } }, {}] }],
  ['turn', { response: expect.stringContaining('4') }],
])('an open run continues when its approval is answered: %s', async (name, result) => {
  await approve(runOf(name));
  expect(await untilClosed(runOf(name))).toMatchObject({ status: 'completed', result });
});

test('a run that today does not replay is ended, and its record and the log say why', async () => {
  const run = runOf('unlike');
  await approve(run);
  const record = await untilClosed(run);
  expect(record).toMatchObject({
    status: 'terminated',
    error: {
      message: expect.stringMatching(/the workflow code of this build cannot continue it: .*TMPRL1100/),
    },
  });
  const line = await folder.process.line(
    'terminated a run that the workflow code of this build cannot continue',
  );
  expect(line).toMatchObject({ level: 50, workflowId: run.workflowId, runId: run.traceId });
});
