import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { verifyDelivery } from '../../../src/hooks/verify';

const NOW = Date.parse('2026-11-28T12:00:00.000Z');
const SECONDS = NOW / 1_000;
const KEY = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

test('GitHub: the example of its documentation', () => {
  const secret = "It's a Secret to Everybody";
  const body = Buffer.from('Hello, World!');
  const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
  const headers = { 'x-hub-signature-256': signature, 'x-github-delivery': '72d3162e' };
  expect(verifyDelivery('github', { headers, body }, secret, NOW)).toBe('72d3162e');
  expect(
    verifyDelivery('github', { headers, body: Buffer.from('Hello, World?') }, secret, NOW),
  ).toBeUndefined();
  expect(verifyDelivery('github', { headers: {}, body }, secret, NOW)).toBeUndefined();
});

test('Standard Webhooks: what its library signs', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.uuid(), (text, id) => {
      const headers = (at: number): Record<string, string> => ({
        'webhook-id': id,
        'webhook-timestamp': String(at),
        'webhook-signature': `v1,bm8= ${new Webhook(KEY).sign(id, new Date(at * 1_000), text)}`,
      });
      const body = Buffer.from(text);
      expect(verifyDelivery('standard', { headers: headers(SECONDS), body }, KEY, NOW)).toBe(id);
      for (const at of [SECONDS - 301, SECONDS + 301])
        expect(verifyDelivery('standard', { headers: headers(at), body }, KEY, NOW)).toBeUndefined();
      const other = { headers: headers(SECONDS), body: Buffer.from(`${text} `) };
      expect(verifyDelivery('standard', other, KEY, NOW)).toBeUndefined();
    }),
  );
});

test('Stripe: one of several signatures, with the id of the event', () => {
  const body = Buffer.from('{"id": "evt_1", "object": "event"}');
  const sign = (at: number): string =>
    createHmac('sha256', KEY).update(`${at}.${body.toString()}`).digest('hex');
  const headers = (at: number): Record<string, string> => ({
    'stripe-signature': `t=${at},v1=${'0'.repeat(64)},v1=${sign(at)},v0=1`,
  });
  expect(verifyDelivery('stripe', { headers: headers(SECONDS), body }, KEY, NOW)).toBe('evt_1');
  expect(verifyDelivery('stripe', { headers: headers(SECONDS - 301), body }, KEY, NOW)).toBeUndefined();
  const late = { 'stripe-signature': `t=${SECONDS},v1=${sign(SECONDS - 400)}` };
  expect(verifyDelivery('stripe', { headers: late, body }, KEY, NOW)).toBeUndefined();
});

test('a token: the secret itself, and a delivery without a name is known by its body', () => {
  const secret = 'a-secret-of-some-length';
  const request = { headers: { authorization: `Bearer ${secret}` }, body: Buffer.from('x') };
  const first = verifyDelivery('token', request, secret, NOW);
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(verifyDelivery('token', { ...request, body: Buffer.from('y') }, secret, NOW)).not.toBe(first);
  const named = { headers: { 'x-hook-token': secret, 'idempotency-key': 'one' }, body: Buffer.from('x') };
  expect(verifyDelivery('token', named, secret, NOW)).toBe('one');
  expect(verifyDelivery('token', { headers: {}, body: Buffer.from('x') }, secret, NOW)).toBeUndefined();
});
