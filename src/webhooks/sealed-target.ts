import { parseJson } from '../base/json/parse';
import type { SecretBox } from '../secrets/secret-box';
import type { WebhookTarget } from '../contracts/runs/webhooks';

/** Address and secret of a webhook. Both are sealed, since an address may have credentials too. */
export interface WebhookAddress {
  readonly url: string;
  /** As `webhookSecretSchema` has it. */
  readonly secret: string;
}

// The sealed text of one feed cannot be opened as that of another one.
const purposeOf = (feedId: string): string => `webhook/${feedId}`;

/** Seals the address of a feed before it enters a run. */
export function sealTarget(
  secrets: SecretBox,
  { url, secret }: WebhookAddress,
  target: Omit<WebhookTarget, 'sealed' | 'host'>,
): WebhookTarget {
  const sealed = secrets.seal(JSON.stringify({ url, secret }), purposeOf(target.feedId));
  return { ...target, sealed, host: new URL(url).host };
}

/** @throws HoldfastError `STORE_UNAVAILABLE` if it was sealed with another key */
export function openTarget(
  secrets: SecretBox,
  { feedId, sealed }: Pick<WebhookTarget, 'feedId' | 'sealed'>,
): WebhookAddress {
  return parseJson(secrets.open(sealed, purposeOf(feedId))) as WebhookAddress;
}
