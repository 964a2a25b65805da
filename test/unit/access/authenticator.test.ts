import { type Authenticator, createAuthenticator } from '../../../src/access/authenticator';
import type { HoldfastError } from '../../../src/base/errors';
import type { Caller } from '../../../src/access/caller';
import { createFailedAttempts } from '../../../src/access/failed-attempts';

const CALLER: Caller = { id: 'key/1', scopes: new Set(['read']), tenant: 'default' };
const HERE = '10.0.0.1';

let now: number;
let valid: Set<string>;
let asked: string[];
let authenticator: Authenticator;

const verify = async (text: string): Promise<Caller | undefined> => {
  asked.push(text);
  return Promise.resolve(valid.has(text) ? CALLER : undefined);
};

beforeEach(() => {
  now = 1_000_000;
  valid = new Set(['hfast_good', 'a.good.token']);
  asked = [];
  const failures = createFailedAttempts(() => now);
  authenticator = createAuthenticator({ keys: { verify }, tokens: { verify }, failures });
});

const fail = async (times: number, address = HERE): Promise<void> => {
  for (let index = 0; index < times; index += 1)
    await expect(authenticator.authenticate(`Bearer hfast_bad${index}`, address)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
};

test.each(['Bearer hfast_good', 'bearer  hfast_good', 'BEARER a.good.token'])(
  '%s is accepted',
  async (header) => {
    expect(await authenticator.authenticate(header, HERE)).toBe(CALLER);
  },
);

test.each([
  '',
  'hfast_good',
  'Basic hfast_good',
  'Bearer',
  'Bearer hfast good',
  'Bearer hfast_good,hfast_good',
])('the header "%s" asks for a key, and nothing is looked up', async (header) => {
  await expect(authenticator.authenticate(header, HERE)).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
    details: undefined,
  });
  expect(asked).toEqual([]);
});

test('what is not accepted by the settings is refused', async () => {
  const failures = createFailedAttempts(() => now);
  const onlyTokens = createAuthenticator({ tokens: { verify }, failures });
  await expect(onlyTokens.authenticate('Bearer hfast_good', HERE)).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
    details: { error: 'invalid_token' },
  });
  const onlyKeys = createAuthenticator({ keys: { verify }, failures });
  await expect(onlyKeys.authenticate('Bearer a.good.token', HERE)).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
  });
  expect(asked).toEqual([]);
});

describe('after 30 wrong keys of one id within a minute', () => {
  const ID = '0123456789abcdef';
  const wrong = (id: string, secret: number): string => `hfast_${id}_${String(secret).padStart(43, 'x')}`;
  const failOf = async (times: number, id = ID, address = HERE): Promise<string[]> => {
    const codes: string[] = [];
    for (let index = 0; index < times; index += 1) {
      const sent = authenticator.authenticate(`Bearer ${wrong(id, index)}`, address);
      codes.push(
        await sent.then(
          () => 'accepted',
          (error: unknown) => (error as HoldfastError).code,
        ),
      );
    }
    return codes;
  };

  it('answers further ones with the time to wait, until the minute is over', async () => {
    expect(new Set(await failOf(30))).toEqual(new Set(['UNAUTHENTICATED']));
    now += 20_000;
    await expect(authenticator.authenticate(`Bearer ${wrong(ID, 99)}`, HERE)).rejects.toMatchObject({
      code: 'TOO_MANY_ATTEMPTS',
      retryAfterMs: 40_000,
    });
    now += 40_000;
    expect(await failOf(1)).toEqual(['UNAUTHENTICATED']);
  });

  it('accepts every right key: of another id, of the same id, and one that was never seen before', async () => {
    const own = wrong(ID, 1_000);
    valid.add(own);
    await failOf(40);
    await fail(30);
    expect(await authenticator.authenticate('Bearer hfast_good', HERE)).toBe(CALLER);
    expect(await authenticator.authenticate(`Bearer ${own}`, HERE)).toBe(CALLER);
    expect(await authenticator.authenticate('Bearer a.good.token', HERE)).toBe(CALLER);
    valid.delete(own);
    expect(await failOf(1)).toEqual(['TOO_MANY_ATTEMPTS']);
  });

  it('counts other ids and other addresses apart', async () => {
    await failOf(31);
    expect(await failOf(1, 'fedcba9876543210')).toEqual(['UNAUTHENTICATED']);
    expect(await failOf(1, ID, '10.0.0.2')).toEqual(['UNAUTHENTICATED']);
  });

  it('counts keys that name no id together', async () => {
    await fail(30);
    await expect(authenticator.authenticate('Bearer hfast_worse', HERE)).rejects.toMatchObject({
      code: 'TOO_MANY_ATTEMPTS',
    });
  });
});

test('tokens that are refused are not counted', async () => {
  for (let index = 0; index < 40; index += 1)
    await expect(authenticator.authenticate(`Bearer a.bad.token${index}`, HERE)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
});

test('of very many addresses and ids the oldest are forgotten', () => {
  const failures = createFailedAttempts(() => now);
  for (let times = 0; times < 30; times += 1) failures.add('first', 'id');
  expect(failures.add('first', 'id')).toBe(60_000);
  for (let index = 0; index < 10_000; index += 1) failures.add('first', `id-${index}`);
  expect(failures.add('first', 'id')).toBe(0);
});
