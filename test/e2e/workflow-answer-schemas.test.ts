import type { Answer } from '../support/http';
import { type Behaviour, fails, says, saysJson } from '../support/model-server';
import { type ModelService, usage } from '../support/model-service';
import { useModelService } from '../support/use-service';
import { askStep, customBody, type RequestedStep, resultsOf, sumStep } from '../support/workflow-steps';

let service: ModelService;

beforeAll(async () => {
  service = await useModelService();
});
afterAll(() => service.stop());
beforeEach(() => service.hosted.reset());

const PLACE = {
  type: 'object',
  properties: { town: { type: 'string', minLength: 2 }, floor: { type: 'integer' } },
  required: ['town', 'floor'],
  additionalProperties: false,
};
const YORK = { town: 'York', floor: 3 };

const run = (steps: readonly RequestedStep[]): Promise<Answer> =>
  service.post('/api/workflow/execute-custom', customBody(steps));
const askPlace = (schema: object = PLACE) => askStep('ask', 'Where is it?', { schema });
const problemOf = async (steps: readonly RequestedStep[]) => {
  const { status, body } = await run(steps);
  return [status, body.details?.field, body.details?.message];
};

test('the result is the value, which later steps take apart', async () => {
  service.hosted.script(saysJson(YORK), says('Hello York'));
  const answer = await run([
    askPlace(),
    sumStep('sum', '{{ask.result.floor}}', 1),
    askStep('greet', 'Greet {{ask.result.town}}, floor {{sum.result}}'),
  ]);
  expect(resultsOf(answer)).toEqual({ ask: YORK, sum: 4, greet: 'Hello York' });
  expect(answer.body.data.results.ask.usage).toEqual(usage(10, 5));
  const [first, second] = service.hosted.requests;
  expect(first?.body.response_format).toMatchObject({
    type: 'json_schema',
    json_schema: { name: 'answer', schema: PLACE },
  });
  expect(second?.body).not.toHaveProperty('response_format');
  expect(second?.body.messages.at(-1)?.content).toBe('Greet York, floor 4');
});

test('an answer that does not fit is objected to once', async () => {
  service.hosted.script(saysJson({ town: 'Y', floor: 'third' }), says(`Here it is: ${JSON.stringify(YORK)}`));
  const { body } = await run([askPlace()]);
  expect(body.data.results.ask).toMatchObject({ result: YORK, usage: usage(20, 10) });
  const objection = String(service.hosted.requests[1]?.body.messages.at(-1)?.content);
  expect(objection).toMatch(/cannot be used/);
  expect(objection).toMatch(/town/);
});

test.each([
  ['never fits', saysJson({ town: 'York' })],
  ['is no JSON', says('It is in York.')],
])('one that %s fails the step', async (_what, behaviour: Behaviour) => {
  service.hosted.otherwise(behaviour);
  const { status, body } = await run([askPlace()]);
  expect([status, body.details?.code, body.details?.failedStep]).toEqual([
    500,
    'MODEL_OUTPUT_INVALID',
    'ask',
  ]);
  expect(service.hosted.requests).toHaveLength(2);
});

test('a server that refuses `response_format` gets the schema in words', async () => {
  const refusal = { message: 'response_format is not supported', type: 'invalid_request_error' };
  service.hosted.script(fails(400, refusal), saysJson(YORK));
  expect(resultsOf(await run([askPlace()])).ask).toEqual(YORK);
  const [, second] = service.hosted.requests;
  expect(second?.body).not.toHaveProperty('response_format');
  expect(String(second?.body.messages[0]?.content)).toContain(JSON.stringify(PLACE));
});

test('values that are no object are results too, also null', async () => {
  service.hosted.script(saysJson(null), saysJson(['a', 'b']));
  const { ask, list, each } = resultsOf(
    await run([
      askPlace({ type: ['string', 'null'] }),
      askStep('list', 'Which?', { schema: { type: 'array', items: { type: 'string' } } }),
      { ...sumStep('each', '{{index}}', 1), forEach: { items: '{{list.result}}' } },
    ]),
  );
  expect([ask, list, each]).toEqual([null, ['a', 'b'], [1, 2]]);
});

test.each([
  ['that is no schema', { type: 'nonsense' }, /cannot be used/],
  ['that refers to another document', { $ref: 'http://127.0.0.1/x.json' }, /cannot be used/],
  ['with a template', { description: '{{input.what}}' }, /template|valid reference|no input/],
  ['that is long', { description: 'x'.repeat(40_000) }, /at most 32768 characters/],
])('a schema %s is refused before the run, also where it is stored', async (_what, schema, expected) => {
  const [status, field, error] = await problemOf([askPlace(schema)]);
  expect([status, field]).toEqual([400, 'config.schema']);
  expect(error).toMatch(expected);
  const stored = await service.post('/api/workflow/workflows', {
    id: 'with-schema',
    name: 'With a schema',
    steps: [askPlace(schema)],
  });
  expect([stored.status, stored.body.details?.field]).toEqual([400, 'config.schema']);
});

test('references are checked by the schema before the run', async () => {
  const missing = await problemOf([askPlace(), askStep('next', '{{ask.result.street}}')]);
  expect(missing).toEqual([400, 'config.prompt', expect.stringMatching(/no "street" in object; it has/)]);
  const wrongKind = await problemOf([askPlace(), sumStep('sum', '{{ask.result.town}}', 1)]);
  expect(wrongKind).toEqual([400, 'config.args.a', expect.stringMatching(/is a text/)]);
  expect(service.hosted.requests).toEqual([]);
});

test('the built-in rules make no such answer, and say so', async () => {
  const { body } = await run([askStep('ask', 'What is 1 plus 1?', { schema: PLACE, model: 'builtin' })]);
  expect(body.details?.code).toBe('MODEL_NOT_CONFIGURED');
});
