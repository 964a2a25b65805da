import { AnswerLostError } from '../../../src/llm/answer-errors';
import {
  babbles,
  type Behaviour,
  drops,
  fails,
  type ModelServer,
  says,
  startModelServer,
  streams,
} from '../../support/model-server';
import { context, errorOf, HELLO, personSchema, providerOf } from './harness';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const BUSY = [fails(503), fails(503), fails(503)];

test.each<[string, boolean, Behaviour[]]>([
  ['was lost each time', true, [drops(), babbles(), drops()]],
  ['was lost once', true, [drops(), fails(503), fails(503)]],
  ['broke off', true, [streams(['Hel'], { ending: 'cut' }), ...BUSY]],
  ['never began', false, BUSY],
])('a call whose answer %s may have been charged for: %s', async (_case, isCharged, behaviours) => {
  server.script(...behaviours);
  const error = await errorOf(providerOf(server).chat(HELLO, { ...context(), onText: () => undefined }));
  expect(error).toMatchObject({
    code: 'MODEL_UNAVAILABLE',
    retryable: true,
    message: expect.stringMatching(/after 3 attempts/),
    details: { provider: 'hosted' },
  });
  expect(error instanceof AnswerLostError).toBe(isCharged);
});

test('a call whose first answer was unusable may have been charged for, though the next one never came', async () => {
  server.script(says('I would rather not.'), ...BUSY);
  const request = { ...HELLO, schema: personSchema, schemaName: 'person' };
  expect(await errorOf(providerOf(server).structured(request, context()))).toBeInstanceOf(AnswerLostError);
});
