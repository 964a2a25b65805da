import { calculator } from '../support/calls';
import type { Scenario } from './scenario';

const SECRET = `whsec_${Buffer.alloc(32, 'webhook').toString('base64')}`;

/** A run that is reported by a webhook. @param peerUrl the receiver, which fails once at `/flaky` */
export function webhookScenarios(peerUrl: string): Scenario[] {
  const webhook = { url: `${peerUrl}/flaky`, secret: SECRET, events: ['run.started', 'run.completed'] };
  return [
    {
      name: 'webhookFeed-delivered',
      firstDelivery: 'webhookDelivery-repeated',
      path: '/api/tools/execute',
      body: { ...calculator('add', 1, 2), options: { webhook } },
    },
  ];
}
