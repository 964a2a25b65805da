import { createWaitDelays } from '../../../../temporal/runs/run-wait';

const grpc = (code: number): Error =>
  new Error('failed', { cause: Object.assign(new Error(`${code}`), { code, details: '', metadata: {} }) });
const BUSY = grpc(8);
const LOST = grpc(14);

test('a wait that the server refuses is begun again ever later, up to a bound', () => {
  const delay = createWaitDelays(() => 1);
  expect(Array.from({ length: 8 }, () => delay(BUSY))).toEqual([
    400, 800, 1_600, 3_200, 6_400, 10_000, 10_000, 10_000,
  ]);
});

test('waits that are refused together are not begun again together', () => {
  const [early, late] = [createWaitDelays(() => 0), createWaitDelays(() => 1)];
  expect([early(BUSY), late(BUSY)]).toEqual([200, 400]);
  expect([early(BUSY), late(BUSY)]).toEqual([400, 800]);
});

test('a lost connection is made up for at once, each time', () => {
  const delay = createWaitDelays(() => 1);
  expect([delay(BUSY), delay(BUSY), delay(LOST), delay(LOST), delay(BUSY)]).toEqual([
    400, 800, 200, 200, 400,
  ]);
});
