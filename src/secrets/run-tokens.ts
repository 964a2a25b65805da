import { z } from 'zod';
import { deriveKey } from './derive-key';
import { createSignedTexts, type SignedTexts } from './signed-texts';

/** How the maker of a signed text was authenticated, so that the text ends with its key. */
export const makerShape = {
  /** Not at all, by a key or by a token of an issuer. */
  by: z.enum(['none', 'key', 'jwt']),
  /** The id of that key, and what stands for its secret. */
  key: z.string().optional(),
  stamp: z.string().optional(),
};
export type Maker = z.infer<z.ZodObject<typeof makerShape>>;

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
export type RunToken = z.infer<typeof runTokenSchema>;
export type RunTokens = SignedTexts<RunToken>;

/** How long a token to read one run is valid, milliseconds. */
export const RUN_TOKEN_MS = 900_000;

/** Creates the tokens of a deployment, whose processes all read what one of them has signed. */
export function createRunTokens(deploymentKey: Buffer): RunTokens {
  return createSignedTexts(deriveKey(deploymentKey, 'holdfast/run-tokens'), runTokenSchema);
}
