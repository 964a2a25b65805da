import { useAsked } from '../../api/ask';
import { client, dataOf, type Schemas } from '../../api/client';
import { useTools } from '../../api/tools';
import { hrefOf } from '../../address';
import { Actions } from '../../parts/actions';
import { Copy } from '../../parts/copy';
import { Time } from '../../parts/time';
import { key, moreScopes, needsKey } from '../../session';
import { toSection } from './listing';

const at = <K extends string>(name: K, value: string) => ({
  params: { path: { [name]: value } as Record<K, string> },
});

export const schedules = toSection({
  id: 'schedules',
  title: 'Schedules',
  about: 'Runs that are started by the clock',
  empty: 'Runs that are started again and again by the clock are here.',
  list: async (signal) => (await dataOf(client.value.GET('/api/schedules', { signal }))).schedules,
  keyOf: ({ id }) => id,
  statusOf: ({ paused }) => (paused ? 'paused' : 'active'),
  noteOf: ({ paused, reason, nextRuns }) =>
    paused ? (
      reason
    ) : (
      <>
        next <Time at={nextRuns[0]} />
      </>
    ),
  actionsOf: ({ id, paused }) => [
    { name: 'Start now', act: () => dataOf(client.value.POST('/api/schedules/{id}/trigger', at('id', id))) },
    paused
      ? { name: 'Resume', act: () => dataOf(client.value.POST('/api/schedules/{id}/resume', at('id', id))) }
      : {
          name: 'Pause',
          act: () =>
            dataOf(
              client.value.POST('/api/schedules/{id}/pause', {
                ...at('id', id),
                body: { reason: 'paused in the console' },
              }),
            ),
        },
    {
      name: 'Delete',
      isFinal: true,
      act: () => dataOf(client.value.DELETE('/api/schedules/{id}', at('id', id))),
    },
  ],
  detailOf: ({ lastRuns }) => (
    <ul class="last-runs">
      {lastRuns.map(({ traceId, status, at: time }) => (
        <li key={time}>
          {status} <Time at={time} />{' '}
          {traceId !== null && <a href={hrefOf('runs', { run: traceId })}>its run</a>}
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
    send: async (body) => void (await dataOf(client.value.POST('/api/schedules', { body }))),
  },
});

type Server = Schemas['McpServer'];

export const mcpServers = toSection<Server>({
  id: 'mcp',
  title: 'MCP servers',
  about: 'Remote servers whose tools are tools here',
  empty: 'Remote MCP servers, whose tools become tools of the service, are here.',
  list: async (signal) => (await dataOf(client.value.GET('/api/mcp-servers', { signal }))).servers,
  keyOf: ({ name }) => name,
  statusOf: ({ away, pending, login }) =>
    away !== undefined
      ? 'away'
      : pending !== undefined || login === 'required' || login === 'expired'
        ? 'waiting'
        : 'active',
  noteOf: ({ url, command, tools, pending, away, login }) =>
    [
      url ?? command,
      `${tools.length} tools`,
      pending && `${pending.tools.length} to confirm`,
      away?.reason,
      login === undefined || login === 'done' ? undefined : `login ${login}`,
    ]
      .filter((each) => each !== undefined)
      .join(' · '),
  actionsOf: ({ name }) => [
    {
      name: 'Refresh',
      act: () => dataOf(client.value.POST('/api/mcp-servers/{name}/refresh', at('name', name))),
    },
    {
      name: 'Remove',
      isFinal: true,
      act: () => dataOf(client.value.DELETE('/api/mcp-servers/{name}', at('name', name))),
    },
  ],
  detailOf: (server, again) =>
    server.pending && <Difference key={server.pending.digest} server={server} again={again} />,
  create: {
    first: { name: 'shop', url: 'http://127.0.0.1:4100/mcp', headers: {} },
    send: async (body) => void (await dataOf(client.value.POST('/api/mcp-servers', { body }))),
  },
});

/** The tools that a server offers anew or in another way, which are used once a person has confirmed them. */
function Difference({ server: { name, pending }, again }: { server: Server; again: () => void }) {
  const digest = pending?.digest;
  const { data } = useAsked(`mcp ${name} ${digest}`, (signal) =>
    dataOf(client.value.GET('/api/mcp-servers/{name}', { ...at('name', name), signal })),
  );
  const { data: tools } = useTools();
  return (
    <section aria-label="Tools to confirm">
      <h3>Tools to confirm</h3>
      <dl class="difference">
        {data?.pending?.tools.map(({ name: tool, change, description }) => {
          const before = tools?.find((each) => each.name === tool)?.description;
          return (
            <div key={tool}>
              <dt>
                <b>{tool}</b> {change}
              </dt>
              {before !== undefined && before !== description && (
                <dd>
                  <del>{before}</del>
                </dd>
              )}
              <dd>
                <ins>{description ?? 'no description'}</ins>
              </dd>
            </div>
          );
        })}
      </dl>
      <Actions
        actions={[
          {
            name: 'Use these tools',
            isOff: data === undefined,
            act: async () => {
              await dataOf(
                client.value.POST('/api/mcp-servers/{name}/confirm', {
                  ...at('name', name),
                  body: { digest },
                }),
              );
              again();
            },
          },
        ]}
      />
    </section>
  );
}

export const webhooks = toSection<Schemas['Delivery']>({
  id: 'webhooks',
  title: 'Webhooks',
  about: 'Events of runs on their way to receivers',
  empty:
    'Events of runs that are delivered to receivers are here: options.webhook of a request asks for them.',
  list: async (signal) => (await dataOf(client.value.GET('/api/webhooks/deliveries', { signal }))).deliveries,
  keyOf: ({ id }) => id,
  nameOf: ({ type, host }) => `${type} to ${host}`,
  statusOf: ({ status }) => status,
  noteOf: ({ attempts, lastStatus, lastProblem, createdAt }) => (
    <>
      {attempts} attempts {lastStatus ?? lastProblem} · <Time at={createdAt} />
    </>
  ),
  actionsOf: ({ id, endedAt }) => [
    {
      name: 'Send again',
      isOff: endedAt === undefined,
      act: () =>
        dataOf(
          client.value.POST('/api/webhooks/deliveries/{deliveryId}/resend', {
            ...at('deliveryId', id),
            body: {},
          }),
        ),
    },
  ],
  detailOf: ({ traceId }) => (
    <p>
      <a href={hrefOf('runs', { run: traceId })}>its run</a>
    </p>
  ),
});

export const hooks = toSection({
  id: 'hooks',
  title: 'Hooks',
  about: 'Addresses at which others start workflows',
  isShown: () => moreScopes.value.has('tools'),
  empty: 'Addresses at which other services start stored workflows are here.',
  list: async (signal) => (await dataOf(client.value.GET('/api/hooks', { signal }))).hooks,
  keyOf: ({ id }) => id,
  noteOf: ({ path, workflowId, verify }) => `${path} · ${workflowId} · ${verify}`,
  actionsOf: ({ id }) => [
    {
      name: 'Delete',
      isFinal: true,
      act: () => dataOf(client.value.DELETE('/api/hooks/{id}', at('id', id))),
    },
  ],
  create: {
    first: { id: 'shop', workflowId: 'payment', verify: 'github', secret: 'at least 16 characters' },
    send: async ({ id, ...body }: { id: string } & Record<string, string>) =>
      void (await dataOf(client.value.PUT('/api/hooks/{id}', { ...at('id', id), body: body as never }))),
  },
});

export const keys = toSection<Schemas['Key']>({
  id: 'keys',
  title: 'Keys',
  about: 'Who may call',
  // With other ways to authenticate there may be no keys.
  isShown: () => needsKey && key.value?.startsWith('hfast_') === true && moreScopes.value.has('admin'),
  empty: 'Keys are here.',
  list: async (signal) => (await dataOf(client.value.GET('/api/keys', { signal }))).keys,
  keyOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  noteOf: ({ id, scopes, tenant, userId, expiresAt }) => (
    <>
      {id} · {scopes.join(', ')} · {tenant} {userId}{' '}
      {expiresAt !== undefined && (
        <>
          expires <Time at={expiresAt} />
        </>
      )}
    </>
  ),
  actionsOf: ({ id }) => [
    { name: 'Revoke', isFinal: true, act: () => dataOf(client.value.DELETE('/api/keys/{id}', at('id', id))) },
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
