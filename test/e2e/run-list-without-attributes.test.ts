import { temporal } from '@temporalio/proto';
import { SEARCH_ATTRIBUTES } from '../../src/contracts/runs/search-attributes';
import { calculator } from '../support/calls';
import type { Answer } from '../support/http';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

const { INDEXED_VALUE_TYPE_KEYWORD_LIST } = temporal.api.enums.v1.IndexedValueType;

let stage: Stage;
let api: Api;

beforeAll(async () => {
  stage = await openStage({ ownTemporal: true });
  await stage.temporal();
  // A namespace on SQLite has room for three lists, so those of the service are refused if others have taken it.
  const searchAttributes = Object.fromEntries(
    ['OfOthersA', 'OfOthersB', 'OfOthersC'].map((name) => [name, INDEXED_VALUE_TYPE_KEYWORD_LIST]),
  );
  const { operatorService } = stage.client.connection as unknown as {
    operatorService: Record<
      'addSearchAttributes' | 'removeSearchAttributes',
      (request: object) => Promise<object>
    >;
  };
  await operatorService.removeSearchAttributes({
    namespace: 'default',
    searchAttributes: Object.keys(SEARCH_ATTRIBUTES),
  });
  await operatorService.addSearchAttributes({ namespace: 'default', searchAttributes });
  [api] = await Promise.all([stage.api(), stage.worker()]);
});
afterAll(() => stage.close());

const list = (query: string): Promise<Answer> => api.get(`/api/runs?${query}`);

test('where the server has no search attributes, runs are listed by what needs none', async () => {
  const before = new Date().toISOString();
  const { status, headers } = await api.post('/api/tools/execute', calculator('add', 1, 2));
  expect(status).toBe(200);
  for (const query of ['', 'status=completed', 'type=executeTool', `since=${before}`]) {
    const found = await waitFor(
      async () => {
        const answer = await list(query);
        return answer.body.data.runs.length === 1 && answer.body.data.runs[0].status === 'completed'
          ? answer
          : undefined;
      },
      { what: `${query} to list the run` },
    );
    expect(found.body.data).toEqual({
      runs: [
        {
          runId: headers.get('x-trace-id'),
          traceId: headers.get('x-trace-id'),
          workflowId: headers.get('x-workflow-id'),
          type: 'executeTool',
          status: 'completed',
          startedAt: expect.any(String),
          closedAt: expect.any(String),
        },
      ],
    });
  }
});

test.each([
  ['area', 'area=tools'],
  ['tool', 'tool=calculator'],
  ['userId', 'userId=ada'],
  ['userId', 'userId=ada&sessionId=one'],
  ['area', 'area=tools&status=completed'],
  ['status', 'status=waiting'],
])('a filter that needs one is a 400 that says so: %s', async (field, query) => {
  const { status, body } = await list(query);
  expect(status).toBe(400);
  expect(body.details).toEqual({ field, message: expect.stringContaining('search attributes') });
});
