import { z } from 'zod';
import { deriveKey } from './derive-key';
import { makerShape } from './run-tokens';
import { createSignedTexts, type SignedTexts } from './signed-texts';

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
export type LoginState = z.infer<typeof loginStateSchema>;
export type LoginStates = SignedTexts<LoginState>;

/** How long a person has to log in, milliseconds. */
export const LOGIN_MS = 600_000;

/** Creates the states of a deployment, whose processes all read what one of them has signed. */
export function createLoginStates(deploymentKey: Buffer): LoginStates {
  return createSignedTexts(deriveKey(deploymentKey, 'holdfast/mcp-logins'), loginStateSchema);
}
