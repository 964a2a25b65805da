import type { ServerResponse } from 'node:http';
import { BytesInFlight } from '../../../../src/base/async/bytes-in-flight';
import { openResponseRoom, type ResponseRoom } from '../../../../api/http/middleware/request-context';

const part = { tenant: 't', caller: 't/', signal: new AbortController().signal };

let inFlight: BytesInFlight;
let ended: number;
let room: ResponseRoom;

beforeEach(() => {
  jest.useFakeTimers();
  inFlight = new BytesInFlight(100);
  ended = 0;
  const response = { destroy: () => (ended += 1) } as unknown as ServerResponse;
  room = openResponseRoom(response, inFlight, () => part);
});
afterEach(() => jest.useRealTimers());

test('a response that needs more does not wait for its own room', async () => {
  await room.admit(30);
  await Promise.all([room.admit(10), room.admit(50)]);
  // A tenant has at most half.
  expect(inFlight.taken).toBe(50);
  room.close();
  expect(inFlight.taken).toBe(0);
});

test('room that is granted after the caller has gone is given back', async () => {
  const giveBack = await inFlight.take({ ...part, bytes: 50 });
  const admitted = room.admit(10);
  await jest.advanceTimersByTimeAsync(0);
  room.close();
  giveBack();
  await admitted;
  expect(inFlight.taken).toBe(0);
});

test('what is released is room for others, and holds up no response', async () => {
  await room.admit(40);
  room.release();
  const giveBack = await inFlight.take({ ...part, bytes: 50 });
  expect(inFlight.taken).toBe(50);
  giveBack();
  await jest.advanceTimersByTimeAsync(600_000);
  expect(ended).toBe(0);
  await room.admit(20);
  expect(inFlight.taken).toBe(20);
  room.close();
  expect(inFlight.taken).toBe(0);
});

test('a refusal leaves the response without room, and it may ask again', async () => {
  const giveBack = await inFlight.take({ ...part, bytes: 50 });
  const refused = room.admit(10).catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(5_000);
  expect(await refused).toMatchObject({ code: 'SERVICE_BUSY' });
  giveBack();
  await room.admit(20);
  expect(inFlight.taken).toBe(20);
  room.close();
});

test('a response that is not received within ten minutes ends, and one that is closed does not', async () => {
  await room.admit(10);
  await jest.advanceTimersByTimeAsync(600_000);
  expect(ended).toBe(1);
  room.close();
  await room.admit(10);
  await jest.advanceTimersByTimeAsync(600_000);
  expect([ended, inFlight.taken]).toEqual([1, 0]);
});
