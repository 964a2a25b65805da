import { z } from 'zod';
import { deriveKey } from './derive-key';
import { createSignedTexts } from './signed-texts';

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

/** Derives the key that signs links: from the setting, if there is one, otherwise from the key of the deployment. */
export function approvalLinkKey(setting: string | undefined, deploymentKey: Buffer): Buffer {
  const secret = setting === undefined ? deploymentKey : Buffer.from(setting);
  return deriveKey(secret, 'holdfast/approval-links');
}

/** Creates the links of one key. */
export function createApprovalLinks(key: Buffer): ApprovalLinks {
  const texts = createSignedTexts(key, payloadSchema);
  return {
    sign: ({ approvalId, expiresAt, by }) => texts.sign({ id: approvalId, exp: expiresAt, by }),
    read(token) {
      const found = texts.read(token);
      if (found === undefined) return undefined;
      const { id, exp, by } = found;
      return { approvalId: id, expiresAt: exp, ...(by === undefined ? {} : { by }) };
    },
  };
}
