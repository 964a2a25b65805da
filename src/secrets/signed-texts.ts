import { createHmac, timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';

/** Makes and reads tokens that say what they are for. Both functions are pure. */
export interface SignedTexts<T> {
  /** Makes a token of letters, digits and `_ - .`, which an address may have. */
  sign(content: T): string;
  /** Reads a token, whether it has expired or not. @returns undefined unless it was signed with the same key, in a form that this build knows */
  read(token: string): T | undefined;
}

/**
 * Creates the tokens of one key and one purpose: content and signature (HMAC-SHA-256), each in base64url.
 * @param schema of what is signed; it reads what an earlier build has signed too
 */
export function createSignedTexts<S extends z.ZodType>(key: Buffer, schema: S): SignedTexts<z.infer<S>> {
  const signatureOf = (payload: string): string =>
    createHmac('sha256', key).update(payload).digest('base64url');
  return {
    sign(content) {
      const payload = Buffer.from(JSON.stringify(content)).toString('base64url');
      return `${payload}.${signatureOf(payload)}`;
    },
    read(token) {
      const [payload = '', signature = '', ...rest] = token.split('.');
      // Texts are compared and not bytes, because several texts of base64url stand for the same bytes.
      if (rest.length > 0 || !isSameText(signature, signatureOf(payload))) return undefined;
      return schema.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString())).data;
    },
  };
}

/** Compares in a time that does not depend on where the two differ. */
function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
