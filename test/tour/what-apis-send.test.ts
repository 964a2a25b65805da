import type { SharedService } from '../support/service';
import { startStubPeer, type StubPeer } from '../support/stub-peer';
import { useService } from '../support/use-service';
import { customBody, fetchStep, type RequestedStep, resultsOf, sumStep } from '../support/workflow-steps';

let service: SharedService;
let peer: StubPeer;

const ORDER = {
  'a[0]': 'index',
  'first name': 'Ann',
  'say "x"': 'said',
  straße: 'road',
  middle: null,
  txt: 'a\nb',
  ids: [1, 2],
};

beforeAll(async () => {
  [service, peer] = await Promise.all([
    useService(),
    startStubPeer(({ path, body, headers }, response) => {
      if (path === '/order') {
        response.setHeader('content-type', 'application/json').end(JSON.stringify(ORDER));
      } else if (path.startsWith('/rows')) {
        const page = Number(/page=(\d)/.exec(path)?.[1] ?? 1);
        if (page < 3) response.setHeader('link', `</rows?page=${page + 1}>; rel="next"`);
        response.setHeader('content-type', 'application/json').end(JSON.stringify([page]));
      } else {
        const echo = JSON.stringify({ body, type: headers['content-type'], custom: headers['x-ann'] });
        response.writeHead(201, { location: '/orders/7', 'content-type': 'application/json' }).end(echo);
      }
    }),
  ]);
});

afterAll(async () => {
  await peer.close();
  await service.stop();
});

const run = (steps: readonly RequestedStep[], inputs = {}) =>
  service.post('/api/workflow/execute-custom', customBody(steps, inputs));

test('templates reach any key, take defaults and functions, and name headers', async () => {
  const answer = await run(
    [
      fetchStep('order', `${peer.url}/order`),
      sumStep('met', 1, 1, {
        when: '{{order.result.data.txt}} == "a\\nb" && {{order.result.data.ids | length}} == 2',
      }),
      fetchStep('send', `${peer.url}/send`, {
        method: 'POST',
        headers: { '{{input.header}}': '{{order.result.data["first name"] | upper}}' },
        body: {
          index: '{{order.result.data["a[0]"]}}',
          said: '{{order.result.data["say \\"x\\""]}}',
          road: '{{order.result.data.straße}}',
          hello: 'Hello {{order.result.data.middle ?? ""}}!',
          ids: '{{order.result.data.ids | join("-")}}',
          nick: '{{input.nick ?? order.result.data["first name"]}}',
        },
      }),
      fetchStep('follow', `${peer.url}{{send.result.headers.location}}`),
    ],
    { header: 'X-Ann' },
  );
  expect(answer.status).toBe(200);
  const { met, send } = resultsOf(answer) as Record<string, { data: { body: string; custom: string } }>;
  expect(met).toBe(2);
  expect(send?.data.custom).toBe('ANN');
  expect(JSON.parse(send?.data.body ?? '')).toEqual({
    index: 'index',
    said: 'said',
    road: 'road',
    hello: 'Hello !',
    ids: '1-2',
    nick: 'Ann',
  });
  expect(peer.count('/orders/7')).toBe(1);
});

test.each([
  ['{{ordr.result.data ?? 1}}', /there is no step or input \\?"ordr\\?"; did you mean \\?"order\\?"/],
  ['{{order.result | upcase}}', /functions are json, length, lower/],
])('%s is refused before anything runs', async (text, message) => {
  const steps = [fetchStep('order', `${peer.url}/order`), sumStep('sum', text, 1)];
  const answer = await run(steps);
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body)).toMatch(message);
});

test('two properties of one name fail the step', async () => {
  const headers = { 'x-a': '1', '{{input.name}}': '2' };
  const answer = await run([fetchStep('one', `${peer.url}/never`, { headers })], { name: 'x-a' });
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body)).toContain('two properties with the name');
  expect(peer.count('/never')).toBe(0);
});

test('api_call sends forms, gives headers, and reads all pages of a list', async () => {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const body = { grant_type: 'client_credentials', scope: 'a b' };
  const args = { url: `${peer.url}/token`, method: 'POST', headers, body };
  const token = await service.post('/api/tools/execute', { toolName: 'api_call', args });
  expect(token.body.data.result).toMatchObject({
    status: 201,
    data: { body: 'grant_type=client_credentials&scope=a+b' },
    headers: { location: '/orders/7' },
  });
  const pages = { url: `${peer.url}/rows`, paginate: { next: 'link', items: '$' } };
  const rows = await service.post('/api/tools/execute', { toolName: 'api_call', args: pages });
  expect(rows.body.data.result).toMatchObject({ status: 200, data: [1, 2, 3], pages: 3 });
  const bad = { toolName: 'api_call', args: { ...pages, paginate: { next: 'rows.next' } } };
  expect((await service.post('/api/tools/execute', bad)).status).toBe(400);
});

test('a sequence resolves functions of the output before', async () => {
  const { body } = await service.post('/api/tools/execute-sequential', {
    tools: [
      { toolName: 'json_reader', args: { jsonString: '{"a":[3,4]}', path: '$.a' } },
      { toolName: 'calculator', args: { operation: 'add', a: '{{previous_result.result | last}}', b: 1 } },
    ],
  });
  expect(body.data.results[1].data.result).toBe(5);
});
