import { webhookSecretSchema, webhookUrlSchema } from '../contracts/http/webhooks';

export const webhookSettings = {
  WEBHOOK_URL: webhookUrlSchema
    .optional()
    .describe('Address that the end of each run is reported to, unless its request names another one'),
  WEBHOOK_SECRET: webhookSecretSchema
    .optional()
    .describe(
      'What these messages are signed with: whsec_ and base64; two with a space between while it is changed',
    ),
};
