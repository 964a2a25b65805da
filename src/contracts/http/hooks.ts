import { z } from 'zod';

export const VERIFICATIONS = ['github', 'stripe', 'standard', 'token'] as const;

const WHSEC = /^whsec_[A-Za-z0-9+/]{20,}={0,2}$/;

export const newHookSchema = z
  .strictObject({
    workflowId: z.string().min(1).max(64).describe('The stored workflow that is started'),
    verify: z
      .enum(VERIFICATIONS)
      .describe(
        'How requests are signed: github: X-Hub-Signature-256; stripe: Stripe-Signature; standard: Standard Webhooks; token: Authorization: Bearer, which is the secret itself',
      ),
    secret: z.string().min(16, 'must have at least 16 characters').max(500),
  })
  .refine(({ verify, secret }) => verify !== 'standard' || WHSEC.test(secret), {
    path: ['secret'],
    message: 'must be whsec_ and base64 of the key',
  });

export const hookSchema = z.object({
  id: z.string(),
  workflowId: z.string(),
  verify: z.enum(VERIFICATIONS),
  path: z.string().describe('Where requests are sent'),
  createdAt: z.string(),
});

export type Verification = (typeof VERIFICATIONS)[number];
export type HookView = z.input<typeof hookSchema>;
