import { createHash } from 'node:crypto';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { type LargePeer, startLargePeer } from '../../bench/in-flight/peer';
import type { Answer } from '../support/http';
import { type Service, startService } from '../support/service';
import { waitFor } from '../support/wait';
import { customBody, fetchStep } from '../support/workflow-steps';
import { measureStalls } from '../../bench/in-flight';

const STEPS = 16;
const READERS = 30;
const ITEMS = 8;
const GIGABYTE = 2 ** 30;
/** The least that the setting allows. One caller has half of it, which is enough for eight large answers at once. */
const IN_FLIGHT_BYTES = 16 * 2 ** 20;

jest.setTimeout(400_000);

let service: Service;
let peer: LargePeer;
let record: Answer;
let path: string;

beforeAll(async () => {
  peer = await startLargePeer();
  service = await startService({
    MAX_BYTES_IN_FLIGHT: String(IN_FLIGHT_BYTES),
    EGRESS_ALLOW_PRIVATE: 'true',
    WAIT_LIMIT_MS: '300000',
    TOOL_TIMEOUT_MS: '240000',
  });
  const steps = Array.from({ length: STEPS }, (_, n) =>
    fetchStep(`s${n}`, `${peer.url}/text`, {}, { dependsOn: [] }),
  );
  const started = await service.post('/api/workflow/execute-custom', customBody(steps), {
    prefer: 'respond-async',
  });
  path = `/api/runs/${started.body.data.traceId}`;
  await waitFor(
    async () => {
      record = await service.get(`${path}/wait?timeout=60`);
      return record.status === 200;
    },
    { what: 'the end of the large run' },
  );
});
afterAll(async () => {
  await service.stop();
  await peer.stop();
});

const watched = (): { url: string; pid: number } => ({ url: service.url, pid: service.process.pid });

/** How much longer work takes here than its CPU time, because of other programs; 1 on a quiet machine. */
function contention(): number {
  const began = performance.now();
  const cpu = process.cpuUsage();
  while (performance.now() - began < 200) Math.sqrt(began);
  const { user, system } = process.cpuUsage(cpu);
  return Math.max(1, (performance.now() - began) / ((user + system) / 1_000));
}

interface Reading {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly digest: string;
}

async function open(at: string): Promise<IncomingMessage> {
  const request = httpGet(`${service.url}${at}`, { agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  return response;
}

/** Reads an answer without keeping it. Fails if it is cut. */
async function read(at: string): Promise<Reading> {
  const response = await open(at);
  const hash = createHash('sha1');
  for await (const chunk of response as AsyncIterable<Buffer>) {
    hash.update(chunk);
  }
  const { statusCode = 0, headers } = response;
  return {
    status: statusCode,
    retryAfter: headers['retry-after'],
    digest: hash.digest('hex'),
  };
}

test('the record of a run of 64 MB is whole', () => {
  expect(record.status).toBe(200);
  const { status, steps, result } = record.body.data;
  expect(status).toBe('completed');
  expect(steps).toHaveLength(STEPS);
  expect(steps[0]).toMatchObject({ id: 's0', name: 'api_call', status: 'completed' });
  expect(steps[0].executionTime).toBeGreaterThan(0);
  expect(Object.keys(result.results)).toHaveLength(STEPS);
  for (const { result: outcome } of Object.values<{ result: { status: number; data: { text: string } } }>(
    result.results,
  ))
    expect([outcome.status, outcome.data.text.length]).toEqual([200, 3_900_000]);
});

test('many readers get the whole record or a 503, and others are served meanwhile', async () => {
  const whole = createHash('sha1').update(record.text).digest('hex');
  const paths = Array.from({ length: READERS }, () => path);
  const slownessBefore = contention();
  const { stalls, result } = await measureStalls(watched(), () =>
    Promise.all([
      Promise.all(paths.map(read)),
      service.post('/api/tools/execute', { toolName: 'calculator', args: { operation: 'add', a: 1, b: 2 } }),
    ]),
  );
  const [readings, small] = result;
  expect(small.body.data?.result).toBeDefined();
  for (const { status, retryAfter, digest } of readings) {
    if (status === 200) expect(digest).toBe(whole);
    else expect([status, retryAfter]).toEqual([503, '1']);
  }
  expect(readings.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(8);
  expect(stalls.maxResidentBytes).toBeLessThan(3 * GIGABYTE);
  // Other programs may begin while the readers read.
  expect(stalls.p99).toBeLessThan(1_000 * Math.max(slownessBefore, contention()));
});

test('the events have the large result too, as a page and as a stream', async () => {
  const page = await service.send('GET', `${path}/events`, undefined, { accept: 'application/json' });
  const { events } = page.body.data;
  expect(events.at(-1)).toMatchObject({ type: 'run.completed' });
  expect(events.at(-1).result).toEqual(record.body.data.result);
  const ended = events.filter(({ type }: { type: string }) => type === 'step.completed');
  expect(ended).toHaveLength(STEPS);
  expect(ended[0].output).toBe('left out: more than 1048576 characters of JSON');
  const stream = await service.get(`${path}/events`);
  const [last = ''] = stream.text.match(/^data: .*$/gm)?.slice(-1) ?? [];
  expect(JSON.parse(last.slice('data: '.length))).toEqual(events.at(-1));
});

test('callers that do not read keep large answers from others only until they have gone', async () => {
  const slow = await Promise.all(Array.from({ length: 8 }, () => open(path)));
  expect(slow.map(({ statusCode }) => statusCode)).toEqual(slow.map(() => 200));
  const refused = await service.get(path);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(refused.body).toMatchObject({ success: false, message: 'Service is busy' });
  const small = await service.post('/api/tools/execute', {
    toolName: 'calculator',
    args: { operation: 'add', a: 1, b: 2 },
  });
  expect(small.status).toBe(200);
  for (const response of slow) response.destroy();
  expect((await read(path)).status).toBe(200);
});

test('a workflow over large objects with many keys does not stall the service', async () => {
  const forEach = { items: Array.from({ length: ITEMS }, (_, n) => n), concurrency: ITEMS };
  const steps = [
    fetchStep('each', `${peer.url}/keys?{{item}}`, {}, { forEach }),
    fetchStep('part', `${peer.url}/part?{{each.result[3].data.k7}}`),
  ];
  const slownessBefore = contention();
  const { stalls, result } = await measureStalls(watched(), () =>
    service.post('/api/workflow/execute-custom', customBody(steps)),
  );
  expect(result.status).toBe(200);
  const each = result.body.data.results.each.result as { data: Record<string, number> }[];
  expect(each.map(({ data }) => [Object.keys(data).length, data['k239999']])).toEqual(
    each.map(() => [240_000, 239_999]),
  );
  expect(peer.asked()).toContain('/part?7');
  const slowness = Math.max(slownessBefore, contention());
  expect(stalls.p99).toBeLessThan(2_000 * slowness);
  expect(stalls.max).toBeLessThan(8_000 * slowness);
});
