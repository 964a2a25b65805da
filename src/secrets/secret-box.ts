import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { HoldfastError } from '../base/errors';

/** The number of bytes of a key. */
export const KEY_BYTES = 32;
/** The number of bytes of a nonce that NIST SP 800-38D recommends for GCM. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';
const VERSION = 'v1';

/** Encrypts small secrets, such as provider keys and passwords, for storage. */
export interface SecretBox {
  /** Encrypts a secret. @param purpose the use of the secret; `open` needs the same one, so that secrets cannot be swapped */
  seal(secret: string, purpose: string): string;
  /** Decrypts a secret. @throws HoldfastError `STORE_UNAVAILABLE` if it was sealed with another key or purpose, or altered */
  open(sealed: string, purpose: string): string;
}

/** Creates a secret box that uses AES-256-GCM with one key of `KEY_BYTES` bytes and a random nonce for each secret. */
export function createSecretBox(key: Buffer): SecretBox {
  if (key.length !== KEY_BYTES)
    throw new Error(`a key must have ${KEY_BYTES} bytes, but this one has ${key.length}`);
  return {
    seal(secret, purpose) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(purpose));
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`;
    },
    open(sealed, purpose) {
      const [version, text = ''] = sealed.split('.');
      const bytes = Buffer.from(text, 'base64url');
      if (version !== VERSION || bytes.length < NONCE_BYTES + TAG_BYTES) throw unreadable();
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      try {
        const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
          .setAAD(Buffer.from(purpose))
          .setAuthTag(tag);
        const secret = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
        return Buffer.concat([secret, decipher.final()]).toString('utf8');
      } catch {
        throw unreadable();
      }
    },
  };
}

function unreadable(): HoldfastError {
  const reason = 'it was sealed with another key; set SECRETS_KEY to that one, or initialize again';
  return new HoldfastError('STORE_UNAVAILABLE', `A stored credential cannot be read: ${reason}`, {
    details: { service: 'secrets', reason },
  });
}
