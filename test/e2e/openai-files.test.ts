import type OpenAI from 'openai';
import { asked, playsAgent } from '../support/agent';
import { LEXICAL } from '../support/memories';
import { type ModelServer, says, startModelServer } from '../support/model-server';
import { hostedBy } from '../support/model-service';
import { errorOf, openAiClient } from '../support/openai';
import { openStage, type Stage } from '../support/stage';
import { startStubPeer, type StubPeer } from '../support/stub-peer';

const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex');

let stage: Stage;
let model: ModelServer;
let peer: StubPeer;
/** By an API that reaches private addresses, and by one that does not. */
let [client, guarded]: OpenAI[] = [];
beforeAll(async () => {
  stage = await openStage();
  model = await startModelServer();
  peer = await startStubPeer(({ path }, response) => {
    if (path === '/prices.csv') response.setHeader('content-type', 'text/csv').end('fruit,price\napple,2');
    else if (path === '/apple.png') response.setHeader('content-type', 'image/png').end(PNG);
    else if (path === '/moved') response.writeHead(302, { location: '/prices.csv' }).end();
    else if (path === '/bare') response.end('x');
    else if (path === '/large') response.setHeader('content-type', 'text/plain').end('x'.repeat(9_000_000));
    else response.writeHead(404).end();
  });
  const settings = { ...LEXICAL, ...hostedBy(model) };
  const [open, closed] = await Promise.all([
    stage.api(settings),
    stage.api({ ...settings, EGRESS_ALLOW_PRIVATE: 'false' }),
    stage.worker(settings),
  ]);
  client = openAiClient(open.url);
  guarded = openAiClient(closed.url);
});
beforeEach(() => {
  model.reset();
  model.otherwise(playsAgent({ answer: says('Apples.') }));
});
afterAll(async () => {
  await stage.close();
  await Promise.all([model.close(), peer.close()]);
});

const respond = (path: string, by = client) =>
  by!.responses.create({
    model: 'holdfast',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Which fruit is cheapest?' },
          { type: 'input_file', file_url: peer.url + path },
        ],
      },
    ],
  });
const readByModel = () => JSON.stringify(asked(model.requests, 'answer').at(-1)?.body.messages);

test.each(['/prices.csv', '/moved'])('the file at %s is fetched for the model', async (path) => {
  expect((await respond(path)).output_text).toBe('Apples.');
  expect(readByModel()).toContain('apple,2');
});

test('an image is fetched for the model', async () => {
  const url = `${peer.url}/apple.png`;
  const { choices } = await client!.chat.completions.create({
    model: 'holdfast',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url } },
          { type: 'text', text: 'What?' },
        ],
      },
    ],
  });
  expect(choices[0]?.message.content).toBe('Apples.');
  expect(readByModel()).toContain(`data:image/png;base64,${PNG.toString('base64')}`);
});

test.each([
  ['/none', 'answered 404'],
  ['/bare', 'no Content-Type'],
  ['/large', 'larger than'],
])('the file at %s is refused', async (path, reason) => {
  expect(await errorOf(respond(path))).toMatchObject({
    status: 400,
    param: 'input[0].content[1].file_url',
    message: expect.stringContaining(reason),
  });
});

test('an address that the settings do not let callers reach is refused', async () => {
  const before = peer.requests.length;
  expect(await errorOf(respond('/prices.csv', guarded))).toMatchObject({
    status: 400,
    param: 'input[0].content[1].file_url',
    message: expect.stringContaining('cannot be fetched'),
  });
  expect(peer.requests).toHaveLength(before);
});

test('more files than a message may have are refused before one is fetched', async () => {
  const before = peer.requests.length;
  const part = { type: 'input_file' as const, file_url: `${peer.url}/prices.csv` };
  const ask = (content: OpenAI.Responses.ResponseInputContent[], more: object = {}) =>
    client!.responses.create({ model: 'holdfast', input: [{ role: 'user', content }], ...more });
  const text = { type: 'input_text' as const, text: 'Which?' };
  const tooMany = ask([text, ...Array.from({ length: 11 }, () => part)]);
  expect(await errorOf(tooMany)).toMatchObject({ status: 400, param: 'input' });
  const cold = ask([text, part], { top_p: 2 });
  expect(await errorOf(cold)).toMatchObject({ status: 400, param: 'top_p' });
  expect(peer.requests).toHaveLength(before);
});
