import type { Answer } from '../support/http';
import { initializeAgent, ask } from '../support/agent';
import { LEXICAL, newUser } from '../support/memories';
import { type Service, startService } from '../support/service';
import { waitFor } from '../support/wait';

let service: Service;
beforeAll(async () => {
  service = await startService(LEXICAL);
  await initializeAgent(service);
});
afterAll(() => service.stop());

interface Listed {
  readonly traceId: string;
  readonly area?: string;
  readonly workflowId: string;
}

const list = (query: string): Promise<Answer> => service.get(`/api/runs?${query}`);
const runsOf = ({ body }: Answer): Listed[] => (body as { data: { runs: Listed[] } }).data.runs;
const traceOf = ({ headers }: Answer): string => headers.get('x-trace-id') ?? '';

/** Waits until a list has these runs and no others. */
const lists = (query: string, answers: readonly Answer[]): Promise<Answer> =>
  waitFor(
    async () => {
      const answer = await list(query);
      const found = runsOf(answer).map(({ traceId }) => traceId);
      return found.join() === answers.map(traceOf).join() ? answer : undefined;
    },
    { what: `${query} to list the runs` },
  );

test('real runs are listed by area, tool, user and session', async () => {
  const calculator = { toolName: 'calculator', args: { operation: 'add', a: 1, b: 2 } };
  const reader = { toolName: 'json_reader', args: { jsonString: '[1]', path: '$[0]' } };
  const sum = await service.post('/api/tools/execute', calculator);
  const both = await service.post('/api/tools/execute-multiple', { tools: [reader, calculator] });
  const userId = `${newUser()}'\\" OR "`;
  const hello = await ask(service, 'Hello there', { userId, sessionId: 'one' });
  const again = await ask(service, 'Hello again', { userId, sessionId: 'two' });
  const other = await ask(service, 'Hello', { userId: newUser(), sessionId: 'one' });
  expect([sum, both, hello, again, other].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);

  const tools = await lists('area=tools', [both, sum]);
  expect(runsOf(tools).map(({ area }) => area)).toEqual(['tools', 'tools']);
  await lists('tool=calculator', [both, sum]);
  await lists('tool=json_reader', [both]);
  await lists('tool=Json_Reader', []);
  await lists('tool=json_reader&status=failed', []);
  await lists('area=agent', [other, again, hello]);
  const user = encodeURIComponent(userId);
  await lists(`userId=${user}`, [again, hello]);
  await lists(`userId=${user}&sessionId=one`, [hello]);
  await lists(`userId=${user}&sessionId=three`, []);
  await lists('limit=500', [other, again, hello, both, sum]);
});
