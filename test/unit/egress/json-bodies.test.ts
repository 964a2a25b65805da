import { Response } from 'undici';
import { fitJson, keepNumbers } from '../../../src/egress/json-bodies';

const BIG = '{"é😀":7615917337495251231,"text":"9007199254740993"}';
const QUOTED = '{"é😀":"7615917337495251231","text":"9007199254740993"}';

function responseOf(type: string, text: string, chunkBytes = 1_000): Response {
  const bytes = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, index) =>
    bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  );
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  return new Response(body, { status: 201, headers: { 'content-type': type, 'x-kept': 'yes' } });
}

test.each([1, 7, 1_000])('integers in JSON are in quotes, in chunks of %i bytes', async (size) => {
  const response = keepNumbers(responseOf('application/json; charset=utf-8', BIG, size));
  expect([response.status, response.headers.get('x-kept'), await response.text()]).toEqual([
    201,
    'yes',
    QUOTED,
  ]);
});

test.each([1, 7, 1_000])('so they are in the data of events, in chunks of %i bytes', async (size) => {
  const events = (data: string): string =>
    `: 9007199254740993\nid: 9007199254740993\r\nevent: message\r\ndata: ${data}\r\n\r\ndata:${data}\n\ndata: ${data}`;
  const response = keepNumbers(responseOf('text/event-stream', events(BIG), size));
  expect(await response.text()).toBe(events(QUOTED));
});

test('an event is passed on when its line ends, whatever comes later', async () => {
  let send: (text: string) => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (send = (text) => controller.enqueue(Buffer.from(text))),
  });
  const response = keepNumbers(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  const reader = response.body!.getReader();
  send(`data: ${BIG}\n\ndata: {"a"`);
  expect(Buffer.from((await reader.read()).value).toString()).toBe(`data: ${QUOTED}\n\n`);
  await reader.cancel();
});

test('other bodies stay as they are', async () => {
  expect(await keepNumbers(responseOf('text/plain', BIG)).text()).toBe(BIG);
  expect(await keepNumbers(new Response(null, { status: 204 })).text()).toBe('');
});

test('JSON for a client that may recurse fails where it is nested too deeply', async () => {
  const nested = (levels: number): Response =>
    responseOf('application/json', '['.repeat(levels) + ']'.repeat(levels));
  const toError = (): Error => new Error('too deep');
  expect(await fitJson(nested(256), toError).json()).toHaveLength(1);
  await expect(fitJson(nested(257), toError).text()).rejects.toThrow('too deep');
  expect(await fitJson(responseOf('application/json', BIG), toError).text()).toBe(QUOTED);
});
