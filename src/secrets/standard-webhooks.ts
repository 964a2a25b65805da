import { createHmac } from 'node:crypto';

/** Before the key of a secret, which is in base64. */
const PREFIX = 'whsec_';

/** A message as Standard Webhooks 1.0 signs it. */
export interface SignedMessage {
  readonly id: string;
  /** Epoch seconds. */
  readonly timestamp: string | number;
  readonly body: string | Buffer;
}

/** The signature of a message by one secret: HMAC-SHA256 of `id.timestamp.body`. */
export function signatureOf(secret: string, { id, timestamp, body }: SignedMessage): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}

/**
 * Signs a message by each of several secrets.
 * @param secrets as `webhookSecretSchema` has them
 * @returns the header `webhook-signature`
 */
export function signMessage(secrets: string, message: SignedMessage): string {
  return secrets
    .split(' ')
    .map((secret) => signatureOf(secret, message))
    .join(' ');
}
