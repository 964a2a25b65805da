import { ApplicationFailure } from '@temporalio/common';
import { DELIVERY_LIMIT_MS, deliveryDelay, type SentMessage } from '../../../src/contracts/runs/webhooks';
import { webhookDelivery } from '../../../workflows/webhook-delivery';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-01-01T00:00:00Z');

/** The time of the workflow, which passes only while it sleeps. */
const mockClock = { now: START };
let mockSend: () => SentMessage;
let mockMemo: unknown;

jest.mock('@temporalio/workflow', () => ({
  proxyActivities: () => ({ sendMessage: () => Promise.resolve(mockSend()) }),
  isCancellation: () => false,
  upsertMemo: (memo: unknown) => {
    mockMemo = memo;
  },
  sleep: (ms: number) => {
    mockClock.now += ms;
    return Promise.resolve();
  },
}));

beforeEach(() => {
  mockClock.now = START;
  jest.spyOn(Date, 'now').mockImplementation(() => mockClock.now);
});
afterEach(() => jest.restoreAllMocks());

const deliver = () =>
  webhookDelivery({
    target: { feedId: 'run/webhooks', sealed: '', host: 'example.com', messages: 'msg_1' },
    event: { type: 'run.completed', runId: 'run-1', name: 'end' },
    body: '{}',
  });

test('a receiver that is down for an hour gets the message within the same time again', async () => {
  const attempts: number[] = [];
  mockSend = () => {
    attempts.push(mockClock.now - START);
    return mockClock.now - START < HOUR_MS ? { problem: 'connection refused' } : { status: 200 };
  };
  expect(await deliver()).toEqual({ attempts: attempts.length, lastStatus: 200 });
  expect(attempts.filter((at) => at >= HOUR_MS)).toHaveLength(1);
  expect(attempts[1]).toBeGreaterThanOrEqual(4_500);
  expect(attempts[1]).toBeLessThanOrEqual(5_500);
  expect(attempts.at(-1)).toBeLessThan(2.5 * HOUR_MS);
  expect(attempts.length).toBeLessThan(13);
});

test('a message is given up after a day', async () => {
  mockSend = () => ({ status: 500 });
  await expect(deliver()).rejects.toEqual(
    expect.objectContaining({ message: expect.stringContaining('the receiver answered 500') }),
  );
  const passed = mockClock.now - START;
  expect(passed).toBeLessThanOrEqual(DELIVERY_LIMIT_MS);
  expect(passed).toBeGreaterThan(DELIVERY_LIMIT_MS - 1.2 * HOUR_MS);
  expect(mockMemo).toEqual({ webhookState: { attempts: expect.any(Number), lastStatus: 500 } });
});

test.each([
  [{ status: 410 }, 'WEBHOOK_GONE'],
  [{ problem: 'Request refused', isRefused: true }, 'WEBHOOK_NOT_DELIVERED'],
])('%j ends it at once', async (sent, type) => {
  mockSend = () => sent;
  const failure: unknown = await deliver().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApplicationFailure);
  expect((failure as ApplicationFailure).type).toBe(type);
  expect(mockClock.now).toBe(START);
});

test('the wait that a receiver asks for is kept, also a long one', async () => {
  mockSend = () => (mockClock.now === START ? { status: 503, retryAfterMs: 5 * HOUR_MS } : { status: 204 });
  expect(await deliver()).toMatchObject({ attempts: 2 });
  expect(mockClock.now - START).toBe(5 * HOUR_MS);
});

test('the waits grow to an hour, and differ by a tenth', () => {
  expect([1, 2, 3, 10, 11, 40].map((attempt) => deliveryDelay(attempt, 0.5))).toEqual([
    5_000, 10_000, 20_000, 2_560_000, 3_600_000, 3_600_000,
  ]);
  expect([deliveryDelay(1, 0), deliveryDelay(1, 1)]).toEqual([4_500, 5_500]);
  expect(deliveryDelay(1, 0.5, 1_000)).toBe(5_000);
  expect(deliveryDelay(1, 0.5, 60_000)).toBe(60_000);
});
