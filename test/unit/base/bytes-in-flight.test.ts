import { BytesInFlight, type Taking } from '../../../src/base/async/bytes-in-flight';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const never = new AbortController().signal;
const of = (caller: string, bytes: number, more: Partial<Taking> = {}): Taking => ({
  tenant: caller,
  caller,
  bytes,
  signal: never,
  ...more,
});

/** Takes, and notes the name when it has. */
function queue(inFlight: BytesInFlight) {
  const begun: string[] = [];
  const take = (name: string, taking: Taking): Promise<() => void> =>
    inFlight.take(taking).then((giveBack) => {
      begun.push(name);
      return giveBack;
    });
  return { begun, take };
}

const settle = (): Promise<void> => jest.advanceTimersByTimeAsync(0);

test('what fits begins at once, and the rest when bytes are given back', async () => {
  const inFlight = new BytesInFlight(100);
  const { begun, take } = queue(inFlight);
  const first = await take('a', of('a', 50));
  const second = await take('b', of('b', 50));
  const third = take('c', of('c', 30));
  await settle();
  expect(begun).toEqual(['a', 'b']);
  first();
  (await third)();
  second();
  expect(inFlight.taken).toBe(0);
});

test('giving back twice gives back once', async () => {
  const inFlight = new BytesInFlight(100);
  const giveBack = await inFlight.take(of('a', 40));
  await inFlight.take(of('b', 40));
  giveBack();
  giveBack();
  expect(inFlight.taken).toBe(40);
});

test('a caller has at most half, and those of others begin although it waits', async () => {
  const inFlight = new BytesInFlight(100);
  const { begun, take } = queue(inFlight);
  const first = await take('a1', of('a', 30));
  const second = take('a2', of('a', 30));
  const other = await take('b1', of('b', 30));
  expect(begun).toEqual(['a1', 'b1']);
  first();
  (await second)();
  other();
  expect(inFlight.taken).toBe(0);
});

test('callers take turns, however many requests each has', async () => {
  const inFlight = new BytesInFlight(100);
  const { begun, take } = queue(inFlight);
  const held = [await inFlight.take(of('x', 50)), await inFlight.take(of('y', 50))];
  const waiting = [
    ...Array.from({ length: 4 }, (_, n) => take(`a${n}`, of('a', 50))),
    take('b0', of('b', 50)),
    take('c0', of('c', 50)),
  ];
  held[0]!();
  for (const one of [0, 4, 5, 1, 2, 3]) (await waiting[one]!)();
  held[1]!();
  expect(begun).toEqual(['a0', 'b0', 'c0', 'a1', 'a2', 'a3']);
  expect(inFlight.taken).toBe(0);
});

test('the users of a tenant have one share together, and take turns in it', async () => {
  const inFlight = new BytesInFlight(100);
  const { begun, take } = queue(inFlight);
  const user = (name: string, bytes: number): Taking => of(`t/${name}`, bytes, { tenant: 't' });
  const first = await take('ann', user('ann', 40));
  const more = [take('ann2', user('ann', 40)), take('ann3', user('ann', 40)), take('bob', user('bob', 40))];
  await settle();
  expect(begun).toEqual(['ann']);
  (await take('other', of('other', 50)))();
  first();
  for (const one of [0, 2, 1]) (await more[one]!)();
  expect(begun).toEqual(['ann', 'other', 'ann2', 'bob', 'ann3']);
  expect(inFlight.taken).toBe(0);
});

test('what is larger than the share of a tenant counts as that share, and keeps no work of others back', async () => {
  const inFlight = new BytesInFlight(100);
  const { begun, take } = queue(inFlight);
  const huge = await take('huge', of('b', 500));
  expect(inFlight.taken).toBe(50);
  const next = take('next', of('b', 500));
  const small = await take('small', of('c', 10));
  const waiting = take('waiting', of('d', 50));
  const later = await take('later', of('c', 40));
  expect(begun).toEqual(['huge', 'small', 'later']);
  small();
  later();
  (await waiting)();
  huge();
  (await next)();
  expect(inFlight.taken).toBe(0);
});

test('a request waits for 5 s and is refused then, and what waited behind it begins', async () => {
  const inFlight = new BytesInFlight(100);
  const held = [await inFlight.take(of('a', 50)), await inFlight.take(of('b', 20))];
  const refused = inFlight.take(of('c', 40)).catch((error: unknown) => error);
  const small = inFlight.take(of('c', 20, { waitMs: Infinity }));
  await jest.advanceTimersByTimeAsync(5_000);
  expect(await refused).toMatchObject({ code: 'SERVICE_BUSY', retryable: true, retryAfterMs: 1_000 });
  (await small)();
  for (const giveBack of held) giveBack();
  expect(inFlight.taken).toBe(0);
});

test('where too many of a caller wait, its next request is refused at once, and others are not', async () => {
  const inFlight = new BytesInFlight(100);
  const held = await inFlight.take(of('a', 50));
  const gone = new AbortController();
  const waiting = Array.from({ length: 200 }, () =>
    inFlight.take(of('a', 10, { signal: gone.signal })).catch((error: unknown) => error),
  );
  await expect(inFlight.take(of('a', 10))).rejects.toMatchObject({ code: 'SERVICE_BUSY' });
  (await inFlight.take(of('c', 10)))();
  const patient = inFlight.take(of('a', 10, { waitMs: Infinity }));
  const reason = new Error('gone');
  gone.abort(reason);
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([reason]));
  held();
  (await patient)();
  expect(inFlight.taken).toBe(0);
});

test('a caller that has gone takes nothing', async () => {
  const inFlight = new BytesInFlight(100);
  const reason = new Error('gone');
  await expect(inFlight.take(of('a', 1, { signal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
  expect(inFlight.taken).toBe(0);
});
