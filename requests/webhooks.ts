import { validationError } from '../src/base/errors';
import { newId } from '../src/base/ids';
import { RUN_ENDS } from '../src/contracts/http/run-events';
import { FEED_TYPE, type WebhookFeedInput } from '../src/contracts/runs/webhooks';
import type { SecretBox } from '../src/secrets/secret-box';
import type { Config } from '../src/settings/config';
import { sealTarget } from '../src/webhooks/sealed-target';
import type { Engine } from '../temporal/engine';
import { startInBackground } from '../temporal/runs/background-run';
import { feedIdOf } from '../temporal/webhooks/delivery';
import type { WebhookOption } from './run-options';

/** Where the run of a request is reported to. */
export interface RunWebhook {
  /** What the request itself says of it; undefined if the settings say it. */
  readonly option: WebhookOption;
  /**
   * Starts the feed that reports the run, unless it was started before.
   * @throws HoldfastError `ENGINE_UNAVAILABLE`
   */
  report(run: Pick<WebhookFeedInput, 'workflowId' | 'digest'>): Promise<void>;
}

export interface WebhookPorts {
  readonly engine: Engine;
  readonly secrets: SecretBox;
  readonly settings: Pick<Config, 'TASK_QUEUE' | 'WEBHOOK_URL' | 'WEBHOOK_SECRET' | 'EGRESS_ALLOW_PRIVATE'>;
}

/** Most runs have ended by then, so that the first look finds the end and takes nothing from the run, milliseconds. */
const START_DELAY_MS = 250;
const FIELD = 'options.webhook.secret';

/**
 * Chooses where the run of a request is reported to: as its body says, else as the settings say.
 * @param body that of a request that starts a run, after its schema was applied
 * @returns undefined if it is reported nowhere
 * @throws HoldfastError `VALIDATION` for a webhook without a secret, unless it is of the origin of WEBHOOK_URL
 */
export function chooseWebhook(
  { engine, secrets, settings }: WebhookPorts,
  body: unknown,
): RunWebhook | undefined {
  const option = (body as { readonly options?: { readonly webhook?: WebhookOption } } | undefined)?.options
    ?.webhook;
  const { TASK_QUEUE, WEBHOOK_URL, WEBHOOK_SECRET, EGRESS_ALLOW_PRIVATE } = settings;
  const url = option?.url ?? WEBHOOK_URL;
  if (url === undefined) return undefined;
  // A signature with the secret of the deployment would make a stranger's receiver trust any caller.
  const isOwn = WEBHOOK_URL !== undefined && new URL(WEBHOOK_URL).origin === new URL(url).origin;
  const secret = option?.secret ?? (isOwn ? WEBHOOK_SECRET : undefined);
  if (secret === undefined)
    throw validationError(FIELD, `${FIELD} is required, as the address is not of the origin of WEBHOOK_URL`);
  return {
    option,
    async report({ workflowId, digest }) {
      const feedId = feedIdOf(workflowId);
      const allowPrivate = EGRESS_ALLOW_PRIVATE || undefined;
      const target = sealTarget(
        secrets,
        { url, secret },
        { feedId, messages: `msg_${newId()}`, allowPrivate },
      );
      const input: WebhookFeedInput = { workflowId, digest, target, events: option?.events ?? RUN_ENDS };
      // A feed fails if it finds no run, which a repeat of the request may start later.
      await startInBackground(engine, TASK_QUEUE, {
        workflowId: feedId,
        workflowType: FEED_TYPE,
        input,
        summary: `events to ${target.host}`,
        startDelay: START_DELAY_MS,
        isOnce: true,
      });
    },
  };
}
