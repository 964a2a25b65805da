import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { deriveKey } from './derive-key';

/** How the maker of a signed text was authenticated, so that the text ends with its key. */
const makerShape = {
  /** Not at all, by a key or by a token of an issuer. */
  by: z.enum(['none', 'key', 'jwt']),
  /** The id of that key, and what stands for its secret. */
  key: z.string().optional(),
  stamp: z.string().optional(),
};
/** What a token to read one run says. The names are short, because the token is a part of an address. */
const runTokenSchema = z.object({
  /** The trace id of the run. */
  run: z.string(),
  tenant: z.string(),
  /** The pseudonym of the user whose runs its maker may read; absent: those of the whole tenant. */
  user: z.string().optional(),
  ...makerShape,
  /** From then on the token is refused, milliseconds since the epoch. */
  exp: z.number(),
});
/** How long a token to read one run is valid, milliseconds. */
export const RUN_TOKEN_MS = 900_000;

/** What the `state` of a login at a remote server says. */
const loginStateSchema = z.object({
  tenant: z.string(),
  /** The name of the server, and the id of its registration. */
  name: z.string(),
  server: z.string(),
  /** The id of the login, which is finished once. */
  id: z.string(),
  ...makerShape,
  /** From then on the login cannot be finished, milliseconds since the epoch. */
  exp: z.number(),
});
/** How long a person has to log in, milliseconds. */
export const LOGIN_MS = 600_000;

/** The names are short, because people see the token as a part of an address. */
const payloadSchema = z.object({ id: z.string(), exp: z.number(), by: z.string().optional() });

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
      const payload = texts.read(token);
      if (payload === undefined) return undefined;
      const { id, exp, by } = payload;
      return { approvalId: id, expiresAt: exp, by };
    },
  };
}

export type LoginState = z.infer<typeof loginStateSchema>;

export type LoginStates = SignedTexts<LoginState>;

/** Creates the states of a deployment, whose processes all read what one of them has signed. */
export function createLoginStates(deploymentKey: Buffer): LoginStates {
  return createSignedTexts(deriveKey(deploymentKey, 'holdfast/mcp-logins'), loginStateSchema);
}

export type Maker = z.infer<z.ZodObject<typeof makerShape>>;

export type RunToken = z.infer<typeof runTokenSchema>;

export type RunTokens = SignedTexts<RunToken>;

/** Creates the tokens of a deployment, whose processes all read what one of them has signed. */
export function createRunTokens(deploymentKey: Buffer): RunTokens {
  return createSignedTexts(deriveKey(deploymentKey, 'holdfast/run-tokens'), runTokenSchema);
}
