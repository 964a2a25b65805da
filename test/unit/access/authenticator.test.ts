import { type Authenticator, createAuthenticator } from '../../../src/access/authenticator';
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

describe('after 30 failed attempts within a minute', () => {
  it('refuses what was not accepted before, without looking it up, until the minute is over', async () => {
    await fail(30);
    asked = [];
    now += 20_000;
    await expect(authenticator.authenticate('Bearer hfast_good', HERE)).rejects.toMatchObject({
      code: 'TOO_MANY_ATTEMPTS',
      retryAfterMs: 40_000,
    });
    expect(asked).toEqual([]);
    now += 40_000;
    expect(await authenticator.authenticate('Bearer hfast_good', HERE)).toBe(CALLER);
  });

  it('still accepts what was accepted before, checks it, and refuses it once it is revoked', async () => {
    await authenticator.authenticate('Bearer hfast_good', HERE);
    await fail(30);
    expect(await authenticator.authenticate('Bearer hfast_good', HERE)).toBe(CALLER);
    valid.clear();
    await expect(authenticator.authenticate('Bearer hfast_good', HERE)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
    await expect(authenticator.authenticate('Bearer hfast_good', HERE)).rejects.toMatchObject({
      code: 'TOO_MANY_ATTEMPTS',
    });
  });

  it('still checks every token, because a proxy has one address and callers have new tokens every few minutes', async () => {
    await fail(30);
    asked = [];
    expect(await authenticator.authenticate('Bearer a.good.token', HERE)).toBe(CALLER);
    await expect(authenticator.authenticate('Bearer a.bad.token', HERE)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
    expect(asked).toEqual(['a.good.token', 'a.bad.token']);
  });

  it('refuses no other address', async () => {
    await fail(30);
    expect(await authenticator.authenticate('Bearer hfast_good', '10.0.0.2')).toBe(CALLER);
  });
});

test('tokens that are refused shut out no key', async () => {
  for (let index = 0; index < 40; index += 1)
    await expect(authenticator.authenticate(`Bearer a.bad.token${index}`, HERE)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
  expect(await authenticator.authenticate('Bearer hfast_good', HERE)).toBe(CALLER);
});

test('29 failed attempts refuse nothing, and a minute later they no longer count', async () => {
  await fail(29);
  expect(await authenticator.authenticate('Bearer hfast_good', HERE)).toBe(CALLER);
  now += 60_000;
  valid.add('hfast_new');
  await fail(29);
  expect(await authenticator.authenticate('Bearer hfast_new', HERE)).toBe(CALLER);
});

test('of very many addresses the oldest are forgotten', () => {
  const failures = createFailedAttempts(() => now);
  for (let times = 0; times < 30; times += 1) failures.add('first');
  expect(failures.waitMs('first')).toBe(60_000);
  for (let index = 0; index < 10_000; index += 1) failures.add(`address-${index}`);
  expect(failures.waitMs('first')).toBe(0);
});
