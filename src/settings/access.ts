import { z } from 'zod';
import { httpAddress } from './fields';

const METHODS = ['off', 'keys', 'jwt', 'keys,jwt'] as const;

export const accessSettings = {
  AUTH: z
    .string()
    .transform((text) => text.replaceAll(' ', '').toLowerCase())
    .pipe(z.enum(METHODS))
    .default('off')
    .describe(
      'How callers are authenticated: off, keys, jwt, or keys,jwt for both; give all APIs of a deployment the same',
    ),
  ALLOW_PUBLIC: z
    .enum(['yes', 'no'])
    .default('no')
    .describe(
      'yes: HOST may reach beyond this machine although AUTH is off, because something in front authenticates',
    ),
  JWT_JWKS_URL: httpAddress.optional().describe('Address of the JSON Web Key Set whose keys verify tokens'),
  JWT_KEY_FILE: z
    .string()
    .optional()
    .describe(
      'File with the public key or certificate, in PEM, that verifies tokens, instead of JWT_JWKS_URL',
    ),
  JWT_ISSUER: z.string().optional().describe('The iss that tokens must have; needed for jwt'),
  JWT_AUDIENCE: z.string().optional().describe('The aud that tokens must have; needed for jwt'),
  JWT_SCOPES_CLAIM: z
    .string()
    .default('scope')
    .describe('The claim with the scopes of a token: a text with spaces between them, or a list'),
  JWT_TENANT_CLAIM: z
    .string()
    .optional()
    .describe(
      'The claim with the tenant of a token; a token without it is refused. Absent: all tokens are of the tenant default',
    ),
  JWT_USER_CLAIM: z
    .string()
    .optional()
    .describe(
      'The claim with the only user whom requests with a token may name, such as sub; a token without it is refused. ' +
        'Absent: tokens may name any user',
    ),
};
