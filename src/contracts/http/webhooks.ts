import { z } from 'zod';

const MIN_KEY_BYTES = 24;
const MAX_KEY_BYTES = 64;
const SECRET = /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const URL_LENGTH = 2_000;

/** The address of a receiver. */
export const webhookUrlSchema = z
  .url({ protocol: /^https?$/, message: 'must be an http or https address' })
  .max(URL_LENGTH, `must have at most ${URL_LENGTH} characters`)
  .refine((text) => !URL.canParse(text) || isWithoutUser(new URL(text)), {
    message: 'must have no user name and no password',
  });

function isWithoutUser({ username, password }: URL): boolean {
  return username === '' && password === '';
}

/** The secret of a webhook as Standard Webhooks writes it, or two of them while it is changed. */
export const webhookSecretSchema = z.string().refine((text) => {
  const secrets = text.split(' ');
  return secrets.length <= 2 && secrets.every(isSecret);
}, `must be whsec_ and the base64 of ${MIN_KEY_BYTES} to ${MAX_KEY_BYTES} bytes, or two of these with a space between`);

function isSecret(text: string): boolean {
  const digits = text.replace(/^whsec_/, '').replace(/=+$/, '');
  const bytes = Math.floor((digits.length * 3) / 4);
  return SECRET.test(text) && bytes >= MIN_KEY_BYTES && bytes <= MAX_KEY_BYTES;
}

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

/** One event of a run on its way to a receiver. */
export const deliverySchema = z.object({
  id: z.string(),
  type: z.string().describe('The event'),
  traceId: z.string().describe('The run that it is of'),
  host: z.string().describe('The host of the receiver, with its port'),
  status: z
    .enum(DELIVERY_STATUSES)
    .describe('`failed`: the receiver has not accepted it for a day, or has answered 410, or was refused'),
  attempts: z.int().describe('How often it was sent; 0 before the first answer'),
  lastStatus: z.int().optional().describe('The status of the latest answer; absent if there was none'),
  lastProblem: z.string().optional().describe('Why the latest attempt had no answer'),
  nextAttemptAt: z.iso.datetime().optional().describe('With `pending`, after a first attempt'),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().optional(),
});
export type Delivery = z.infer<typeof deliverySchema>;
