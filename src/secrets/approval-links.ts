import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { deriveKey } from './derive-key';

/** What a link to an approval says. */
export interface ApprovalLink {
  readonly approvalId: string;
  /** From then on the link answers nothing, milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Who answers by the link. */
  readonly by?: string | undefined;
}

/** Makes and reads the tokens of links by which people answer approvals. Both functions are pure. */
export interface ApprovalLinks {
  /** Makes a token of letters, digits and `_ - .`, which a path may have. */
  sign(link: ApprovalLink): string;
  /** Reads a token, whether it has expired or not. @returns undefined unless it was signed with the same key */
  read(token: string): ApprovalLink | undefined;
}

/** The names are short, because people see the token as a part of an address. */
const payloadSchema = z.object({ id: z.string(), exp: z.number(), by: z.string().optional() });

/** Derives the key that signs links: from the setting, where there is one, otherwise from the key of the deployment. */
export function approvalLinkKey(setting: string | undefined, deploymentKey: Buffer): Buffer {
  const secret = setting === undefined ? deploymentKey : Buffer.from(setting);
  return deriveKey(secret, 'holdfast/approval-links');
}

/** Creates the links of one key: payload and signature (HMAC-SHA-256), each in base64url. */
export function createApprovalLinks(key: Buffer): ApprovalLinks {
  const signatureOf = (payload: string): string =>
    createHmac('sha256', key).update(payload).digest('base64url');
  return {
    sign({ approvalId, expiresAt, by }) {
      const payload = Buffer.from(JSON.stringify({ id: approvalId, exp: expiresAt, by })).toString(
        'base64url',
      );
      return `${payload}.${signatureOf(payload)}`;
    },
    read(token) {
      const [payload = '', signature = '', ...rest] = token.split('.');
      // Texts are compared and not bytes, because several texts of base64url stand for the same bytes.
      if (rest.length > 0 || !isSameText(signature, signatureOf(payload))) return undefined;
      const { id, exp, by } = payloadSchema.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
      return { approvalId: id, expiresAt: exp, ...(by === undefined ? {} : { by }) };
    },
  };
}

/** Compares in a time that does not depend on where the two differ. */
function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
