import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Figure, readFigures, sumOf } from '../support/figures';
import { freePort } from '../support/free-port';
import { LEXICAL } from '../support/memories';
import { parseOtlp } from '../support/otlp';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

const REQUESTS = 'holdfast_http_request_duration_seconds_count';
const ATTEMPTS = 'holdfast_tool_attempt_duration_seconds_count';
const WAITS = 'holdfast_run_wait_duration_seconds_count';
const MODELS = 'holdfast_model_call_duration_seconds_count';

describe('figures', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  const localAddress = async (): Promise<string> => `127.0.0.1:${await freePort()}`;

  describe('of an API and a worker', () => {
    let atApi: string;
    let atWorker: string;
    let api: Api;
    beforeAll(async () => {
      [atApi, atWorker] = [await localAddress(), await localAddress()];
      [api] = await Promise.all([
        stage.api({ ...LEXICAL, METRICS_ADDRESS: atApi }),
        stage.worker({ ...LEXICAL, METRICS_ADDRESS: atWorker }),
      ]);
    });

    const calculate = (args: object) =>
      api.post('/api/tools/execute', { toolName: 'calculator', args: { operation: 'divide', ...args } });

    /** The log line about the end of a request may come shortly after its answer. */
    const grown = (address: string, name: string, labels: Record<string, string>, by: number, from: number) =>
      waitFor(async () => (sumOf(await readFigures(address), name, labels) ?? 0) === from + by, {
        what: `${name} ${JSON.stringify(labels)} to rise by ${by}`,
      });

    async function before(address: string, name: string, labels: Record<string, string>): Promise<number> {
      return sumOf(await readFigures(address), name, labels) ?? 0;
    }

    test('requests are counted by the pattern of their path, method and class of status', async () => {
      const good = { method: 'GET', route: '/api/tools/:toolName', status: '2xx' };
      const bad = { ...good, status: '4xx' };
      const from = [await before(atApi, REQUESTS, good), await before(atApi, REQUESTS, bad)] as const;
      await api.get('/api/tools/calculator');
      await api.get('/api/tools/weather');
      await api.get('/api/tools/nobody-has-this-one');
      await grown(atApi, REQUESTS, good, 2, from[0]);
      await grown(atApi, REQUESTS, bad, 1, from[1]);
    });

    test('tool calls are counted by tool and outcome where they ran, and waits for runs where they were waited for', async () => {
      const succeeded = { tool: 'calculator', outcome: 'succeeded' };
      const failed = { tool: 'calculator', outcome: 'failed' };
      const completed = { workflow: 'executeTool', outcome: 'completed' };
      const from = [
        await before(atWorker, ATTEMPTS, succeeded),
        await before(atWorker, ATTEMPTS, failed),
        await before(atApi, WAITS, completed),
        await before(atApi, WAITS, { ...completed, outcome: 'failed' }),
      ] as const;
      await Promise.all([calculate({ a: 6, b: 3 }), calculate({ a: 8, b: 2 }), calculate({ a: 1, b: 0 })]);
      await grown(atWorker, ATTEMPTS, succeeded, 2, from[0]);
      await grown(atWorker, ATTEMPTS, failed, 1, from[1]);
      await grown(atApi, WAITS, completed, 2, from[2]);
      await grown(atApi, WAITS, { ...completed, outcome: 'failed' }, 1, from[3]);
      expect(sumOf(await readFigures(atApi), 'holdfast_requests_waiting_for_run')).toBe(0);
    });

    test('a registered tool is counted without its name, and its time is in seconds', async () => {
      const source = 'async () => { const until = Date.now() + 300; while (Date.now() < until); return 1; }';
      const tool = { name: 'a_callers_own_tool', description: 'waits', parameters: {}, execute: source };
      expect((await api.post('/api/tools/register', tool)).status).toBe(201);
      const { status } = await api.post('/api/tools/execute', { toolName: tool.name, args: {} });
      expect(status).toBe(200);
      const figures = await readFigures(atWorker);
      const labels = { tool: 'registered', outcome: 'succeeded' };
      expect(sumOf(figures, ATTEMPTS, labels)).toBe(1);
      const seconds = sumOf(figures, 'holdfast_tool_attempt_duration_seconds_sum', labels) ?? 0;
      expect(seconds).toBeGreaterThan(0.29);
      expect(seconds).toBeLessThan(20);
      expect(JSON.stringify([...figures, ...(await readFigures(atApi))])).not.toContain(tool.name);
    });

    test('calls of a model provider are counted where they were made', async () => {
      const { status } = await api.post('/api/tools/mcp', { query: 'multiply 6 by 7' });
      expect(status).toBe(200);
      const figures = await readFigures(atWorker);
      expect(
        sumOf(figures, MODELS, { provider: 'builtin', operation: 'choose_tools', outcome: 'answered' }),
      ).toBeGreaterThan(0);
    });

    test('the process and its engine are in them, and every figure says which part it is of', async () => {
      for (const [address, part] of [
        [atApi, 'api'],
        [atWorker, 'worker'],
      ] as const) {
        const figures = await waitFor(
          async () => {
            const read = await readFigures(address);
            return sumOf(read, 'holdfast_temporal_reachable') === 1 ? read : undefined;
          },
          { what: 'the engine to be told as reachable' },
        );
        expect(sumOf(figures, 'holdfast_process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
        expect(sumOf(figures, 'holdfast_event_loop_delay_max_seconds')).toBeLessThan(30);
        expect(new Set(figures.map(({ labels }) => labels['part']))).toEqual(new Set([part]));
      }
    });

    test('those of the SDK are beside them', async () => {
      const named = (figures: readonly Figure[]) => new Set(figures.map(({ name }) => name));
      expect(named(await readFigures(atApi))).toContain('temporal_request_total');
      const ofWorker = named(await readFigures(atWorker));
      expect(ofWorker).toContain('temporal_workflow_completed_total');
      expect(ofWorker).toContain('temporal_worker_task_slots_available');
    });

    test('a second process at the same address does not start, and says why in one line', async () => {
      const second = stage.spawn('worker', { ...LEXICAL, METRICS_ADDRESS: atWorker });
      expect(await second.exited).toBe(1);
      expect(second.output()).toMatch(
        new RegExp(`^worker: METRICS_ADDRESS \\(${atWorker}\\) cannot be used: .*in use.*$`),
      );
    });
  });

  test.each([
    ['METRICS_ADDRESS', { METRICS_ADDRESS: 'localhost:9464' }],
    ['METRICS_ADDRESS', { METRICS_ADDRESS: '127.0.0.1:99999' }],
    ['OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'collector:4317' }],
    [
      'not both',
      { METRICS_ADDRESS: '127.0.0.1:9464', OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://127.0.0.1:4317' },
    ],
  ])('%s that makes no sense ends the start in one line', async (named, settings) => {
    const process = stage.spawn('api', settings);
    expect(await process.exited).toBe(1);
    expect(process.output()).toMatch(new RegExp(`^api: .*${named}.*$`));
  });

  test('without a setting nothing listens and the API works', async () => {
    const api = await stage.api(LEXICAL);
    expect((await api.get('/metrics')).status).toBe(404);
    expect(api.process.lines.map(({ msg }) => msg)).not.toContain('metrics are at /metrics');
  });

  test('what two processes of a part send to a collector is told apart', async () => {
    const collector = await startCollector();
    try {
      const settings = {
        ...LEXICAL,
        OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${collector.url}/v1/metrics`,
        OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'http/protobuf',
        OTEL_METRIC_EXPORT_INTERVAL: '1000',
      };
      await Promise.all([stage.worker(settings), stage.worker(settings)]);
      const instances = await waitFor(
        () => {
          const sent = collector.received.flatMap(({ body }) => parseOtlp(body));
          const own = sent.filter(({ names }) => names.includes('holdfast_process_resident_memory_bytes'));
          for (const { resource } of own)
            expect(resource).toMatchObject({ part: 'worker', 'service.name': 'holdfast' });
          const seen = new Set(own.map(({ resource }) => resource['service.instance.id']));
          return seen.size > 1 && seen;
        },
        { what: 'figures of two processes' },
      );
      expect([...instances].every((instance) => /^\d+@./.test(instance ?? ''))).toBe(true);
      expect(instances.size).toBe(2);
    } finally {
      await collector.close();
    }
  });

  test('they are sent to a collector with the headers that are set', async () => {
    const collector = await startCollector();
    try {
      await stage.api({
        ...LEXICAL,
        OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${collector.url}/v1/metrics`,
        OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'http/protobuf',
        OTEL_EXPORTER_OTLP_METRICS_HEADERS: 'x-tenant=green%20house',
        OTEL_METRIC_EXPORT_INTERVAL: '1000',
      });
      const sent = await waitFor(() => collector.received.find(({ body }) => body.includes('holdfast_')), {
        what: 'figures to be sent',
      });
      expect(sent.path).toBe('/v1/metrics');
      expect(sent.tenant).toBe('green house');
      // The protobuf format keeps the names unchanged.
      expect(sent.body.toString('latin1')).toContain('holdfast_process_resident_memory_bytes');
    } finally {
      await collector.close();
    }
  });
});

interface Received {
  readonly path: string;
  readonly tenant: unknown;
  readonly body: Buffer;
}

async function startCollector() {
  const received: Received[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url = '', headers } = request;
      received.push({ path: url, tenant: headers['x-tenant'], body: Buffer.concat(chunks) });
      response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received: received as readonly Received[],
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
