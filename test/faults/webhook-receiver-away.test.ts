import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { calculator } from '../support/calls';
import { LEXICAL } from '../support/memories';
import { type Service, startService } from '../support/service';
import { type PeerRequest, startStubPeer, type StubPeer } from '../support/stub-peer';
import {
  describeWithSkippedTime,
  SKIPPED_TIME_WAIT_MS,
  startTimeSkippingServer,
  type TimeSkippingServer,
} from '../support/time-skipping-server';

const HOUR_MS = 3_600_000;
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;

interface Received extends PeerRequest {
  /** By the clock of the server, epoch milliseconds. */
  readonly at: number;
  readonly accepted: boolean;
}

describeWithSkippedTime('on a server that skips time', () => {
  let temporal: TimeSkippingServer;
  let service: Service;
  let receiver: StubPeer;
  const received: Received[] = [];

  beforeAll(async () => {
    temporal = await startTimeSkippingServer();
    // It is down for an hour from the first request on.
    receiver = await startStubPeer(async (request, response) => {
      const at = await temporal.now();
      const accepted = at >= (received[0]?.at ?? at) + HOUR_MS;
      received.push({ ...request, at, accepted });
      response.writeHead(accepted ? 204 : 503).end();
    });
    service = await startService({
      ...LEXICAL,
      TEMPORAL_ADDRESS: temporal.address,
      EGRESS_ALLOW_PRIVATE: 'true',
    });
  }, SKIPPED_TIME_WAIT_MS);
  afterAll(async () => {
    await service.stop();
    await receiver.close();
    await temporal.stop();
  });

  test('a receiver that was down for an hour gets each event once, in order', async () => {
    const started = performance.now();
    const webhook = {
      url: receiver.url,
      secret: SECRET,
      events: ['run.started', 'step.completed', 'run.completed'],
    };
    const run = await service.post('/api/tools/execute-sequential', {
      tools: [calculator('add', 1, 2), calculator('multiply', '{{previous_result}}', 7)],
      options: { webhook },
    });
    // The run does not wait for the receiver.
    expect([run.status, received.filter(({ accepted }) => accepted)]).toEqual([200, []]);
    await temporal.client.workflow.getHandle(`${run.headers.get('x-workflow-id')}/webhooks`).result();

    const accepted = received.filter((message) => message.accepted);
    const [first] = accepted;
    const traceId = run.headers.get('x-trace-id');
    expect(accepted.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject(
      ['run.started', 'step.completed', 'step.completed', 'run.completed'].map((type) => ({
        type,
        data: { traceId },
      })),
    );
    expect(new Set(accepted.map(({ headers }) => headers['webhook-id'])).size).toBe(4);
    // While it is down, the first event alone is sent again, after about 5 s, 10 s and so on.
    const refused = received.filter((message) => !message.accepted);
    expect(new Set([first, ...refused].map((message) => message?.headers['webhook-id'])).size).toBe(1);
    const waits = refused.slice(1).map(({ at }, index) => at - (refused[index]?.at ?? 0));
    expect(waits.length).toBe(9);
    for (const [index, wait] of waits.entries()) {
      const usual = 5_000 * 2 ** index;
      expect(wait).toBeGreaterThan(0.89 * usual - 1_000);
      expect(wait).toBeLessThan(1.11 * usual + 5_000);
    }
    for (const { headers, body } of received) {
      const [id, at] = [String(headers['webhook-id']), Number(headers['webhook-timestamp'])];
      expect(new Webhook(SECRET).sign(id, new Date(at * 1_000), body)).toBe(headers['webhook-signature']);
    }
    // The hour was skipped.
    expect(performance.now() - started).toBeLessThan(HOUR_MS / 10);
  });
});
