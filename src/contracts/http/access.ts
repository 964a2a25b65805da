import { z } from 'zod';
import { asNewName, tenantSchema, userIdSchema } from '../tenants';

/** What callers may do. No scope includes another one, so a key names every scope that it has. */
export const SCOPES = ['read', 'run', 'memory', 'records', 'tools', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

const scopesSchema = z
  .array(z.enum(SCOPES))
  .min(1, 'must name at least one scope')
  .transform((scopes) => SCOPES.filter((scope) => scopes.includes(scope)))
  .describe('What requests with the key may do');

export const keyIdSchema = z.string().regex(/^[0-9a-f]{16}$/, 'must be 16 hexadecimal digits');

const KEY_USER = 'The only user whom requests with the key may name; absent: any user of the tenant';

// A misspelt field is rejected, because a key without its user would reach the memories of all users.
export const newKeySchema = z.strictObject({
  name: z.string().trim().min(1).max(100).describe('For people: who or what uses the key'),
  scopes: scopesSchema,
  tenant: tenantSchema
    .optional()
    .describe(
      'The tenant that the key belongs to; absent: the one of the caller, `default` on the command line',
    ),
  userId: asNewName(userIdSchema).optional().describe(KEY_USER),
  expiresAt: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('The time from which the key is refused; absent: never'),
});
export type NewKey = Readonly<z.output<typeof newKeySchema>>;

/** A key as it is listed, without its secret. */
export const listedKeySchema = z.object({
  id: keyIdSchema.describe('The part of the key between its two underscores'),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  tenant: z.string(),
  userId: userIdSchema.optional().describe(KEY_USER),
  createdAt: z.string(),
  rotatedAt: z.string().optional().describe('When the key got its present secret, if that was later'),
  expiresAt: z.string().optional(),
});
export type ListedKey = Readonly<z.infer<typeof listedKeySchema>>;

/** Who sends a request, and what it may do. */
export const callerSchema = z.object({
  auth: z
    .enum(['keys', 'jwt', 'off'])
    .describe('How the caller is authenticated: by a key, by a token, or not at all, with `AUTH=off`'),
  scopes: z.array(z.enum(SCOPES)).describe('What its requests may do'),
  tenant: z.string(),
  userId: userIdSchema
    .optional()
    .describe('The only user whom its requests may name; absent: any user of the tenant'),
});

/** A key at the only time when its secret is known. */
export const issuedKeySchema = listedKeySchema.extend({
  key: z.string().describe('Sent as `Authorization: Bearer`. It is shown this once.'),
});
export type IssuedKey = Readonly<z.infer<typeof issuedKeySchema>>;
