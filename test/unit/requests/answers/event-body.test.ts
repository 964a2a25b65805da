import { toEventBody } from '../../../../requests/answers/event-body';

const EVENT = { type: 'run.completed', time: '2026-01-01T00:00:00.000Z' } as const;
const LIMIT = 262_144;
const read = (body: string) => JSON.parse(body) as { data: Record<string, unknown> };

test('a record that fits is whole', () => {
  const record = { traceId: 'a', result: 'x'.repeat(200_000), steps: [] };
  expect(read(toEventBody(EVENT, record))).toEqual({
    type: EVENT.type,
    timestamp: EVENT.time,
    data: record,
  });
});

test('a body has at most 256 KiB, and loses the result first', () => {
  const record = { traceId: 'a', result: 'ü'.repeat(131_100), steps: ['short'] };
  expect(read(toEventBody(EVENT, record)).data).toEqual({ traceId: 'a', steps: ['short'] });
  const long = { ...record, steps: ['x'.repeat(LIMIT)], error: { code: 'INTERNAL' } };
  const body = toEventBody(EVENT, long);
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(LIMIT);
  expect(read(body).data).toEqual({ traceId: 'a', error: { code: 'INTERNAL' } });
});
