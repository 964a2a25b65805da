import { hrefOf } from '../../address';
import { client, dataOf, read, type Schemas, send } from '../../api/client';
import { Copy } from '../../parts/copy';
import { pageOf } from '../../parts/rows';
import { Time } from '../../parts/time';
import { caller, may, mayForAll } from '../../session';
import { toSection } from './listing';

const linkTo = (traceId: string) => <a href={hrefOf('runs', { run: traceId })}>its run</a>;

export const schedules = toSection({
  id: 'schedules',
  title: 'Schedules',
  about: 'Runs that are started by the clock',
  isShown: () => may('read'),
  mayChange: () => may('run'),
  empty: 'Runs that are started again and again by the clock are here.',
  list: (_, signal) => pageOf(read('/api/schedules', {}, signal), 'schedules'),
  keyOf: ({ id }) => id,
  statusOf: ({ paused }) => (paused ? 'paused' : 'active'),
  noteOf: ({ paused, reason, nextRuns }) => (paused ? reason : ['next ', <Time at={nextRuns[0]} />]),
  actionsOf: ({ id, paused }) => [
    { name: 'Start now', act: () => send('POST', '/api/schedules/{id}/trigger', { id }) },
    paused
      ? { name: 'Resume', act: () => send('POST', '/api/schedules/{id}/resume', { id }) }
      : { name: 'Pause', act: () => send('POST', '/api/schedules/{id}/pause', { id }, PAUSE) },
    { name: 'Delete', isFinal: true, act: () => send('DELETE', '/api/schedules/{id}', { id }) },
  ],
  detailOf: ({ lastRuns }) => (
    <ul class="last-runs">
      {lastRuns.map(({ traceId, status, at }) => (
        <li key={at}>
          {status} <Time at={at} /> {traceId !== null && linkTo(traceId)}
        </li>
      ))}
    </ul>
  ),
  create: {
    first: {
      id: 'nightly-sum',
      spec: { cron: ['30 2 * * *'], timeZone: 'Europe/Berlin' },
      action: { type: 'tool', request: { toolName: 'calculator', args: { operation: 'add', a: 2, b: 3 } } },
    },
    send: (body) => send('POST', '/api/schedules', {}, body),
  },
});

const PAUSE = { reason: 'paused in the console' };

export const webhooks = toSection<Schemas['Delivery']>({
  id: 'webhooks',
  title: 'Webhooks',
  about: 'Events of runs on their way to receivers',
  isShown: () => may('read'),
  mayChange: () => may('run'),
  empty: 'Events of runs are here, if options.webhook of a request asks for them.',
  list: (cursor, signal) =>
    pageOf(read('/api/webhooks/deliveries', { query: { cursor } }, signal), 'deliveries'),
  keyOf: ({ id }) => id,
  nameOf: ({ type, host }) => `${type} to ${host}`,
  statusOf: ({ status }) => status,
  noteOf: ({ attempts, lastStatus, lastProblem, createdAt }) => [
    `${attempts} attempts ${lastStatus ?? lastProblem ?? ''} · `,
    <Time at={createdAt} />,
  ],
  actionsOf: ({ id: deliveryId, endedAt }) => [
    {
      name: 'Send again',
      isOff: endedAt === undefined,
      act: () => send('POST', '/api/webhooks/deliveries/{deliveryId}/resend', { deliveryId }, {}),
    },
  ],
  detailOf: ({ traceId }) => <p>{linkTo(traceId)}</p>,
});

export const hooks = toSection({
  id: 'hooks',
  title: 'Hooks',
  about: 'Addresses at which others start workflows',
  isShown: () => mayForAll('tools'),
  empty: 'Addresses at which other services start stored workflows are here.',
  list: (_, signal) => pageOf(read('/api/hooks', {}, signal), 'hooks'),
  keyOf: ({ id }) => id,
  noteOf: ({ path, workflowId, verify }) => `${path} · ${workflowId} · ${verify}`,
  actionsOf: ({ id }) => [
    { name: 'Delete', isFinal: true, act: () => send('DELETE', '/api/hooks/{id}', { id }) },
  ],
  create: {
    first: { id: 'shop', workflowId: 'payment', verify: 'github', secret: 'at least 16 characters' },
    send: ({ id, ...body }: { id: string }) => send('PUT', '/api/hooks/{id}', { id }, body),
  },
});

export const keys = toSection<Schemas['Key']>({
  id: 'keys',
  title: 'Keys',
  about: 'Who may call',
  // With other ways to authenticate there may be no keys.
  isShown: () => caller.value?.auth === 'keys' && mayForAll('admin'),
  empty: 'Keys are here.',
  list: (_, signal) => pageOf(read('/api/keys', {}, signal), 'keys'),
  keyOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  noteOf: ({ id, scopes, tenant, userId, expiresAt }) => [
    [id, scopes.join(', '), tenant, userId].filter((each) => each !== undefined).join(' · '),
    expiresAt !== undefined && [' · expires ', <Time at={expiresAt} />],
  ],
  actionsOf: ({ id }) => [
    { name: 'Revoke', isFinal: true, act: () => send('DELETE', '/api/keys/{id}', { id }) },
  ],
  create: {
    first: { name: 'reports', scopes: ['read', 'run'] },
    async send(body) {
      const made = await dataOf(client.value.POST('/api/keys', { body }));
      return (
        <p role="status" class="made">
          This key is shown this once: <code>{made.key}</code> <Copy text={made.key} label="copy" />
        </p>
      );
    },
  },
});
