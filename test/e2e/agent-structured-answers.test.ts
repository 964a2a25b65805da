import { answerOf, ask, classifiesAs, initializeAgent } from '../support/agent';
import type { Answer } from '../support/http';
import { newUser } from '../support/memories';
import { type Behaviour, callsTools, fails, says, saysJson, saysParts } from '../support/model-server';
import { type ModelService, offeredIn } from '../support/model-service';
import {
  ADD,
  answers,
  type Body,
  hasResult,
  inTurn,
  refusal,
  refusing,
  rolesOf,
} from '../support/model-servers/row';
import { useModelService } from '../support/use-service';

/** What is asked for by a schema, of a model that has called a tool before. */
const SCHEMA = {
  type: 'object',
  properties: { sum: { type: 'number' }, isEven: { type: 'boolean' } },
  required: ['sum', 'isEven'],
  additionalProperties: false,
};
const OUTPUT = { sum: 65, isEven: false };
const JSON_TEXT = JSON.stringify(OUTPUT);
const QUERY = 'What is 48 plus 17?';
const FITS = saysJson(OUTPUT);

const textOf = ({ messages }: Body): string => messages.map(({ content }) => String(content)).join('\n');
const isClassification = (body: Body): boolean =>
  (body.response_format?.type === 'json_schema' && body.response_format.json_schema.name === 'intent') ||
  textOf(body).includes('You classify what a message');
const isStructured = (body: Body): boolean =>
  body.response_format !== undefined || textOf(body).includes(JSON.stringify(SCHEMA));
const alternates = (body: Body): boolean =>
  /^(?:ua)*u?$/.test(rolesOf(body).replace(/^s/, '').replaceAll('t', 'u'));

/** A model that calls a tool, says that it is done, and gives `structured` when it is asked by the schema. */
const plays =
  (structured: Behaviour, call: Behaviour = callsTools([{ name: 'calculator', args: ADD }])) =>
  (): Behaviour =>
  (request, response) => {
    const body = request.body as Body;
    if (isClassification(body)) return classifiesAs('hybrid')(request, response);
    if (isStructured(body)) return structured(request, response);
    return (hasResult(body) ? says('It is 65.') : call)(request, response);
  };
const refusesFormat = (message: string) =>
  refusing((body) => body.response_format !== undefined, refusal(message), plays(FITS));

/** What servers and models do beside tools and a schema. */
const ROWS: readonly (readonly [string, () => Behaviour])[] = [
  ['fits at once', plays(FITS)],
  ['has no response_format', refusesFormat('response_format is not supported')],
  [
    'has no json_schema',
    refusesFormat("Invalid value: 'json_schema'. response_format supports only json_object"),
  ],
  [
    'refuses a format beside the functions of a conversation',
    refusing(
      (body) => body.response_format !== undefined && (body.tools !== undefined || /t/.test(rolesOf(body))),
      fails(400, { message: 'Function calling with a response mime type is unsupported' }),
      plays(FITS),
    ),
  ],
  [
    'has no functions',
    refusing(
      (body) => body.tools !== undefined,
      refusal('tools is not supported by this model'),
      plays(FITS, saysJson({ name: 'calculator', arguments: ADD })),
    ),
  ],
  [
    'has no keyword additionalProperties',
    refusing(
      (body) => JSON.stringify(body.response_format ?? {}).includes('additionalProperties'),
      refusal('Invalid schema: additionalProperties is not supported'),
      plays(FITS),
    ),
  ],
  [
    'has no system message, and alternates',
    refusing(
      (body) => /s/.test(rolesOf(body)) || !alternates(body),
      refusal('System role not supported'),
      plays(FITS),
    ),
  ],
  ['thinks before it', plays(says(`<think>\n{"sum": 1}\n</think>\n\n${JSON_TEXT}`))],
  [
    'thinks in a part of it',
    plays(
      saysParts([
        { type: 'thinking', thinking: '{' },
        { type: 'text', text: JSON_TEXT },
      ]),
    ),
  ],
  ['puts it in a fence', plays(says(`Here you are:\n\`\`\`json\n${JSON_TEXT}\n\`\`\``))],
  ['ignores the format at first', plays(inTurn(says('It is 65, which is odd.'), FITS)())],
  [
    'calls a tool once more in its text',
    plays(inTurn(saysJson({ name: 'calculator', arguments: ADD }), FITS)()),
  ],
  [
    'calls one as a function, although none is offered',
    plays(inTurn(callsTools([{ name: 'calculator', args: ADD }]), FITS)()),
  ],
  [
    'thinks until it has no room',
    plays(inTurn(answers({ content: '' }, { finish_reason: 'length' }), FITS)()),
  ],
];

let service: ModelService;
const behaviours = new Map<string, Behaviour>();

beforeAll(async () => {
  service = await useModelService();
  await initializeAgent(service);
  service.hosted.otherwise((request, response) => behaviours.get(request.body.model)?.(request, response));
});
afterAll(() => service.stop());

const turn = (model: string, server: () => Behaviour, options: object = {}) => {
  behaviours.set(model, server());
  return ask(service, QUERY, {
    userId: newUser(),
    model,
    responseSchema: SCHEMA,
    tools: ['calculator'],
    ...options,
  });
};

test.each(ROWS)('a server that %s', async (name, server) => {
  const { output, response, toolResults, metadata } = await answerOf(turn(name, server));
  expect([output, JSON.parse(response)]).toEqual([OUTPUT, OUTPUT]);
  expect(toolResults).toMatchObject([{ toolName: 'calculator', success: true }]);
  expect(metadata.degraded).toEqual([]);
});

test('a model that learns nothing of the objection fails the turn', async () => {
  const { status, body } = await turn('stubborn', plays(says('It is 65, which is odd.')));
  expect([status, body.success, body.code]).toEqual([500, false, 'MODEL_OUTPUT_INVALID']);
});

test('a value that is null is an output', async () => {
  const responseSchema = { type: ['string', 'null'] };
  const data = await answerOf(turn('null', plays(saysJson(null)), { responseSchema }));
  expect(data).toMatchObject({ response: 'null', output: null });
});

test('a model that is away fails the turn, since no rule can answer', async () => {
  const { status, body } = await turn('away', plays(fails(400)));
  expect([status, body.code]).toEqual([503, 'MODEL_UNAVAILABLE']);
});

test('the record of a run has what shaped it, and a rerun has it again', async () => {
  const instructions = 'You are Captain Mary.';
  const first = await turn('again', plays(FITS), { instructions });
  const pathOf = ({ headers }: Answer, end = ''): string => {
    const workflowId = encodeURIComponent(headers.get('x-workflow-id') ?? '');
    return `/api/runs/${headers.get('x-trace-id')}${end}?workflowId=${workflowId}`;
  };
  const { input } = (await service.get(pathOf(first))).body.data;
  expect(input).toMatchObject({ instructions, tools: ['calculator'], responseSchema: SCHEMA });
  const requestsBefore = service.hosted.requests.length;
  const again = await service.post(pathOf(first, '/rerun'), {});
  expect(again.status).toBe(202);
  const { result } = (await service.get(pathOf(again, '/wait'))).body.data;
  expect(result.output).toEqual(OUTPUT);
  const plan = service.hosted.requests.slice(requestsBefore).find(({ body }) => body.tools !== undefined);
  expect(textOf(plan?.body as Body)).toContain(instructions);
  expect(offeredIn(plan)).toEqual(['calculator']);
});
