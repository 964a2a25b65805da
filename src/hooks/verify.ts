import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Verification } from '../contracts/http/hooks';
import { signatureOf } from '../secrets/standard-webhooks';

/** A request as it arrived. */
export interface SignedRequest {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The raw bytes, which are what is signed. */
  readonly body: Buffer;
}

interface Verified {
  /** What the sender calls this delivery, so that a repeat is known; undefined if it gives no name. */
  readonly delivery: string | undefined;
}

/** How old or how far in the future a signature may be, milliseconds. */
const MAX_SKEW_MS = 300_000;
/** The headers that carry signatures and secrets, which no run gets. */
export const SIGNATURE_HEADERS: ReadonlySet<string> = new Set([
  'x-hub-signature',
  'x-hub-signature-256',
  'stripe-signature',
  'webhook-signature',
  'x-hook-token',
]);

type Verify = (request: SignedRequest, secret: string, now: number) => Verified | undefined;

/** GitHub signs the body alone, without a time: docs.github.com, "Validating webhook deliveries". */
const github: Verify = ({ headers, body }, secret) =>
  equals(headers['x-hub-signature-256'] ?? '', `sha256=${hmac(secret, body).toString('hex')}`)
    ? { delivery: headers['x-github-delivery'] }
    : undefined;

/** Stripe signs `time.body`, once for each secret while one is replaced: docs.stripe.com, "Verify webhook signatures manually". */
const stripe: Verify = ({ headers, body }, secret, now) => {
  const parts = (headers['stripe-signature'] ?? '').split(',').map((part) => part.trim().split('=', 2));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  const expected = hmac(secret, Buffer.concat([Buffer.from(`${time}.`), body])).toString('hex');
  const isSigned = anyEquals(
    parts.filter(([name]) => name === 'v1').map(([, signature = '']) => signature),
    expected,
  );
  return isSigned && isRecent(time, now) ? { delivery: idIn(body) } : undefined;
};

/** Standard Webhooks 1.0: `id.time.body`, by the key that the secret has in base64. */
const standard: Verify = ({ headers, body }, secret, now) => {
  const [id = '', time = ''] = [headers['webhook-id'], headers['webhook-timestamp']];
  const expected = signatureOf(secret, { id, timestamp: time, body });
  const isSigned = anyEquals((headers['webhook-signature'] ?? '').split(' '), expected);
  return isSigned && id !== '' && isRecent(time, now) ? { delivery: id } : undefined;
};

/** The secret itself, for senders that sign nothing. */
const token: Verify = ({ headers }, secret) => {
  const given = /^Bearer +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1] ?? headers['x-hook-token'] ?? '';
  return equals(given, secret) ? { delivery: headers['idempotency-key'] } : undefined;
};

const VERIFY: Readonly<Record<Verification, Verify>> = { github, stripe, standard, token };

/**
 * Checks the signature of a request, in constant time.
 * @param now epoch milliseconds
 * @returns what the sender calls the delivery, or a hash of the body; undefined if the signature is wrong or too old
 */
export function verifyDelivery(
  how: Verification,
  request: SignedRequest,
  secret: string,
  now: number,
): string | undefined {
  const verified = VERIFY[how](request, secret, now);
  if (verified === undefined) return undefined;
  return verified.delivery || createHash('sha256').update(request.body).digest('hex');
}

function hmac(key: string, content: Buffer): Buffer {
  return createHmac('sha256', key).update(content).digest();
}

/** Whether two texts are equal, in a time that does not depend on where they differ. */
function equals(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Compares all, so that the time does not tell which one was right. */
function anyEquals(given: readonly string[], expected: string): boolean {
  return given
    .slice(0, 16)
    .map((one) => equals(one, expected))
    .includes(true);
}

function isRecent(seconds: string, now: number): boolean {
  return /^\d{1,12}$/.test(seconds) && Math.abs(Number(seconds) * 1_000 - now) <= MAX_SKEW_MS;
}

/** The id of an event whose body is JSON. */
function idIn(body: Buffer): string | undefined {
  return /^\s*\{[\s\S]{0,2000}?"id"\s*:\s*"([\w-]{1,200})"/.exec(
    body.subarray(0, 4_096).toString('utf8'),
  )?.[1];
}
