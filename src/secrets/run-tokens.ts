import { z } from 'zod';
import { deriveKey } from './derive-key';
import { createSignedTexts, type SignedTexts } from './signed-texts';

/** What a token to read one run says. The names are short, because the token is a part of an address. */
const runTokenSchema = z.object({
  /** The trace id of the run. */
  run: z.string(),
  tenant: z.string(),
  /** The pseudonym of the user whose runs its maker may read; absent: those of the whole tenant. */
  user: z.string().optional(),
  /** How its maker was authenticated: not at all, by a key or by a token of an issuer. */
  by: z.enum(['none', 'key', 'jwt']),
  /** The id of that key, and what stands for its secret, with which the token ends. */
  key: z.string().optional(),
  stamp: z.string().optional(),
  /** From then on the token is refused, milliseconds since the epoch. */
  exp: z.number(),
});
export type RunToken = z.infer<typeof runTokenSchema>;
export type RunTokens = SignedTexts<RunToken>;

/** How long a token to read one run is valid, milliseconds. */
export const RUN_TOKEN_MS = 900_000;

/** Creates the tokens of a deployment, whose processes all read what one of them has signed. */
export function createRunTokens(deploymentKey: Buffer): RunTokens {
  return createSignedTexts(deriveKey(deploymentKey, 'holdfast/run-tokens'), runTokenSchema);
}
