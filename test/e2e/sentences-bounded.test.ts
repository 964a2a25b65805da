import { Client, Connection } from '@temporalio/client';
import { answerOf, ask, initializeAgent } from '../support/agent';
import type { Answer } from '../support/http';
import { newUser } from '../support/memories';
import { type SharedService, sharedTemporal } from '../support/service';
import { useService } from '../support/use-service';

let service: SharedService;
let connection: Connection;

beforeAll(async () => {
  [service, connection] = await Promise.all([
    useService(),
    Connection.connect({ address: sharedTemporal() }),
  ]);
  await initializeAgent(service);
});
afterAll(async () => {
  await connection.close();
  await service.stop();
});

/** The attempts of the local activities of a run, in order, and how the run ended. */
async function historyOf(answer: Answer) {
  const id = answer.headers.get('x-workflow-id') ?? '';
  const { events } = await new Client({ connection }).workflow.getHandle(id).fetchHistory();
  const markers = (events ?? []).flatMap(({ markerRecordedEventAttributes: marker }) =>
    marker?.markerName === 'core_local_activity' ? [marker.details?.['data']?.payloads?.[0]?.data] : [],
  );
  const attempts = markers.map(
    (data) => (JSON.parse(Buffer.from(data ?? []).toString()) as { attempt: number }).attempt,
  );
  return { attempts, isFailed: events?.at(-1)?.workflowExecutionFailedEventAttributes != null };
}

test.each([
  ['has too many parts', '$.'.repeat(500), /has too many parts/],
  ['is too long', '$.'.repeat(5_000), /longer than the 1000 characters/],
])('a sentence that %s is refused once', async (_case, query, message) => {
  for (const path of ['/api/tools/mcp', '/api/workflow/execute']) {
    const answer = await service.post(path, { query });
    expect(answer.body).toMatchObject({ success: false, error: expect.stringMatching(message) });
    expect(await historyOf(answer)).toEqual({ attempts: [1], isFailed: true });
  }
});

test('a turn with a longer message is remembered and answered', async () => {
  const userId = newUser();
  const say = (query: string) => answerOf(ask(service, query, { userId, sessionId: 'session-1' }));
  const story = ' Then we looked at the sea for a while.'.repeat(40);
  expect(await say(`I live in Bristol.${story} Multiply 6 by 7.`)).toMatchObject({
    response: expect.stringMatching(/\S/),
    metadata: { provider: 'builtin' },
  });
  expect((await say('Where do I live?')).response).toContain('Bristol');
});
