import type OpenAI from 'openai';
import { classifiesAs, playsAgent, purposeOf } from '../support/agent';
import { freePort } from '../support/free-port';
import { LEXICAL, newUser } from '../support/memories';
import { callsTools, fails, type ModelServer, says, startModelServer } from '../support/model-server';
import { hostedBy, outcomesIn } from '../support/model-service';
import { errorOf, openAiClient } from '../support/openai';
import { type Api, openStage, type Stage } from '../support/stage';

const DEPTH = 'X-Holdfast-Depth';

let stage: Stage;
let model: ModelServer;
beforeAll(async () => {
  stage = await openStage();
  model = await startModelServer();
});
afterAll(async () => {
  await stage.close();
  await model.close();
});

const asks = ({ url }: Api, name: string, depth?: string) =>
  openAiClient(url).chat.completions.create(
    { model: name, messages: [{ role: 'user', content: 'Hello' }] },
    { headers: depth === undefined ? {} : { [DEPTH]: depth } },
  );

test.each(['on', 'off'])(
  'a service whose model is itself fails after three runs more, with rules %s',
  async (rules) => {
    const port = await freePort();
    const api = await stage.allInOne({
      ...LEXICAL,
      ...hostedBy({ url: `http://127.0.0.1:${port}/v1` }),
      OPENAI_MODEL: 'holdfast',
      PORT: String(port),
      PLAIN_ENGLISH: rules,
    });
    const before = (await api.get('/api/runs')).body.data.runs.length;
    const loop = { status: 400, code: 'MODEL_LOOP', message: expect.stringContaining(DEPTH) };
    expect(await errorOf(asks(api, 'holdfast'))).toMatchObject(loop);
    const turn = await api.post('/api/agent/execute', {
      query: 'Hello',
      options: { userId: newUser(), sessionId: 's' },
    });
    expect([turn.status, turn.text]).toEqual([400, expect.stringContaining('MODEL_LOOP')]);
    const { runs } = (await api.get('/api/runs')).body.data;
    // The classification of each run fails, and the run with it.
    expect(runs).toHaveLength(before + 4 + 4);
    await api.process.stop();
  },
);

describe('a model call says how many it is within', () => {
  let api: Api;
  const depths = () =>
    model.requests.map((request) => [purposeOf(request), request.headers['x-holdfast-depth']]);

  beforeAll(async () => {
    api = await stage.allInOne({ ...LEXICAL, ...hostedBy(model) });
    for (const [id, more] of [
      ['inner', {}],
      ['outer', { agents: ['inner'] }],
    ] as const) {
      const definition = { name: id, description: id, instructions: 'You help.', tools: [], ...more };
      const { status, text } = await api.send('PUT', `/api/agents/${id}`, definition);
      if (status !== 200) throw new Error(text);
    }
  });
  beforeEach(() => {
    model.reset();
    model.otherwise(
      playsAgent({
        classify: classifiesAs('tool_execution', ['agent_inner']),
        plan: (request, response) => {
          const calls = callsTools([{ name: 'agent_inner', args: { query: 'Hello' } }]);
          return (outcomesIn(request).length === 0 ? calls : says('Done.'))(request, response);
        },
      }),
    );
  });

  test('which is all those of its run, and of the turns that it calls', async () => {
    await asks(api, 'holdfast/outer', '2');
    expect(new Set(depths().map(([, depth]) => depth))).toEqual(new Set(['3']));
    // The classification of the outer turn and that of the inner one.
    expect(depths().filter(([purpose]) => purpose === 'classify')).toHaveLength(2);
  });

  test('and is the first one otherwise', async () => {
    await asks(api, 'holdfast/outer');
    expect(new Set(depths().map(([, depth]) => depth))).toEqual(new Set(['1']));
  });

  test('and a loop that a planner meets after a call ends the turn', async () => {
    model.otherwise(
      playsAgent({
        classify: classifiesAs('tool_execution', ['calculator']),
        plan: (request, response) => {
          const adds = callsTools([{ name: 'calculator', args: { operation: 'add', a: 1, b: 2 } }]);
          const loops = fails(400, { message: 'a loop', code: 'MODEL_LOOP' });
          return (outcomesIn(request).length === 0 ? adds : loops)(request, response);
        },
      }),
    );
    expect(await errorOf(asks(api, 'holdfast'))).toMatchObject({ status: 400, code: 'MODEL_LOOP' });
  });

  test.each<[string, string, Partial<OpenAI.ErrorObject>]>([
    ['too many', '4', { code: 'MODEL_LOOP' }],
    ['no number', 'x', { code: 'VALIDATION', param: DEPTH }],
    ['a negative number', '-1', { code: 'VALIDATION', param: DEPTH }],
    ['a large number', '10000', { code: 'VALIDATION', param: DEPTH }],
  ])('%s are refused', async (_, depth, error) => {
    expect(await errorOf(asks(api, 'holdfast', depth))).toMatchObject({ status: 400, ...error });
    expect(model.requests).toEqual([]);
  });
});
