import type { ScheduleAction } from '../contracts/http/schedules';
import type { SecretBox } from '../secrets/secret-box';

type Request = ScheduleAction['request'];

/** A request without the secret of its webhook, and that secret, sealed. */
export interface SealedRequest {
  readonly request: Request;
  readonly webhookSecret?: string;
}

/** The use of a sealed secret, so that no other schedule can have it. Pure. */
const purposeOf = (tenant: string, id: string): string => `schedule/${tenant}/${id}`;

/** Takes the secret of a request's webhook out of it, and seals it. */
export function sealRequest(request: Request, { secrets, tenant, id }: Sealing): SealedRequest {
  const { options, webhook } = partsOf(request);
  const { secret, ...rest } = webhook ?? {};
  if (typeof secret !== 'string') return { request };
  return {
    request: { ...request, options: { ...options, webhook: rest } },
    webhookSecret: secrets.seal(secret, purposeOf(tenant, id)),
  };
}

/** The request as it was sealed. @throws HoldfastError `STORE_UNAVAILABLE` if the key of the service is another one now */
export function openRequest(
  { request, webhookSecret }: SealedRequest,
  { secrets, tenant, id }: Sealing,
): Request {
  if (webhookSecret === undefined) return request;
  const { options, webhook } = partsOf(request);
  const secret = secrets.open(webhookSecret, purposeOf(tenant, id));
  return { ...request, options: { ...options, webhook: { ...webhook, secret } } };
}

export interface Sealing {
  readonly secrets: SecretBox;
  readonly tenant: string;
  readonly id: string;
}

type Fields = Readonly<Record<string, unknown>>;

function partsOf(request: Request): {
  readonly options: Fields | undefined;
  readonly webhook: Fields | undefined;
} {
  const options = request['options'] as Fields | undefined;
  return { options, webhook: options?.['webhook'] as Fields | undefined };
}
