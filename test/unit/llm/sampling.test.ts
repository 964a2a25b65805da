import { type Behaviour, fails, type ModelServer, says, startModelServer } from '../../support/model-server';
import { context, errorOf, HELLO, METHODS, providerOf } from './harness';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const SAMPLED = { temperature: 0.7, topP: 0.5 };
const refusal = (param: string, code: string): Behaviour =>
  fails(400, { message: `Unsupported: '${param}'.`, type: 'invalid_request_error', param, code });

/** Answers as a model that takes no sampling settings. */
const reasoning =
  (good: Behaviour): Behaviour =>
  (request, response) => {
    const { temperature, top_p: topP } = request.body;
    if (temperature !== undefined) return refusal('temperature', 'unsupported_value')(request, response);
    if (topP !== undefined) return refusal('top_p', 'unsupported_parameter')(request, response);
    return good(request, response);
  };
/** Whether each request that arrived had a temperature or `top_p`. */
const sampled = (): boolean[] =>
  server.requests.map(({ body }) => body.temperature !== undefined || body.top_p !== undefined);

test.each(METHODS)('$method: a model that takes no temperature is asked without one', async (method) => {
  server.otherwise(reasoning(method.good));
  const llm = providerOf(server, { maxAttempts: 1 });
  const sampling = { ...llm };
  for (const name of ['chat', 'structured', 'chooseTools'] as const)
    sampling[name] = (request: never, limits: never) =>
      llm[name]({ ...(request as object), ...SAMPLED } as never, limits) as never;
  expect(await method.call(sampling, context())).toMatchObject({ usage: { totalTokens: 15 } });
  expect(sampled()).toEqual([true, false]);
  // What a model takes is found out once.
  await method.call(sampling, context());
  await method.call(sampling, context(), 'other-model');
  expect(sampled()).toEqual([true, false, false, true, false]);
});

test.each([
  "Unsupported parameter: 'temperature' is not supported with this model.",
  "litellm.UnsupportedParamsError: gpt-5 models don't support temperature=0.7. Only temperature=1 is supported.",
  '`temperature` and `top_p` cannot both be specified for this model. Please use only one.',
  '`temperature` is deprecated for this model.',
])('a model whose provider refuses in words alone is asked without one: %s', async (words) => {
  server.script(fails(400, { message: words, type: 'invalid_request_error' }), says('Hi'));
  const llm = providerOf(server, { maxAttempts: 1 });
  expect(await llm.chat({ ...HELLO, ...SAMPLED }, context())).toMatchObject({ content: 'Hi' });
  expect(sampled()).toEqual([true, false]);
});

test('calls at the same time that are refused are all asked again', async () => {
  server.otherwise(reasoning(says('Hi')));
  const llm = providerOf(server, { maxAttempts: 1 });
  const ask = () => llm.chat({ ...HELLO, ...SAMPLED }, context());
  expect(await Promise.all([ask(), ask(), ask()])).toMatchObject(Array(3).fill({ content: 'Hi' }));
});

test.each([
  ['another setting', refusal('max_tokens', 'unsupported_parameter')],
  ['a value out of range', refusal('temperature', 'decimal_above_max_value')],
  ['a field that is not supported', fails(400, { message: 'tool_choice is not supported' })],
])('a refusal of %s is an error', async (_name, behaviour) => {
  server.otherwise(behaviour);
  const asked = providerOf(server).chat({ ...HELLO, ...SAMPLED }, context());
  expect(await errorOf(asked)).toMatchObject({ code: 'MODEL_UNAVAILABLE' });
  expect(server.requests).toHaveLength(1);
});
