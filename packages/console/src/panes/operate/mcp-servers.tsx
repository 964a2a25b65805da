import { useRead } from '../../api/ask';
import { read, type Schemas, send } from '../../api/client';
import { Actions } from '../../parts/actions';
import { Part } from '../../parts/detail';
import { pageOf } from '../../parts/rows';
import { may } from '../../session';
import { toSection } from './listing';

type Server = Schemas['McpServer'];

/** Whether a server that has logins needs one. */
const mustLogIn = ({ login = 'done' }: Server): boolean => login !== 'done';

export const mcpServers = toSection<Server>({
  id: 'mcp',
  title: 'MCP servers',
  about: 'Remote servers whose tools are tools here',
  isShown: () => may('read'),
  mayChange: () => may('tools'),
  empty: 'Remote MCP servers, whose tools become tools of the service, are here.',
  list: (_, signal) => pageOf(read('/api/mcp-servers', {}, signal), 'servers'),
  keyOf: ({ name }) => name,
  statusOf: (server) =>
    server.away !== undefined
      ? 'away'
      : server.pending !== undefined || mustLogIn(server)
        ? 'waiting'
        : 'active',
  noteOf(server) {
    const { url, command, tools, pending, away, login } = server;
    const facts = [
      url ?? command,
      `${tools.length} tools`,
      pending && `${pending.tools.length} to confirm`,
      away?.reason,
      mustLogIn(server) ? `login ${login}` : undefined,
    ];
    return facts.filter((fact) => fact !== undefined).join(' · ');
  },
  actionsOf: ({ name }) => [
    { name: 'Refresh', act: () => send('POST', '/api/mcp-servers/{name}/refresh', { name }) },
    { name: 'Remove', isFinal: true, act: () => send('DELETE', '/api/mcp-servers/{name}', { name }) },
  ],
  detailOf: ({ name, pending }, again) =>
    pending && <Difference key={pending.digest} name={name} digest={pending.digest} again={again} />,
  create: {
    first: { name: 'shop', url: 'http://127.0.0.1:4100/mcp', headers: {} },
    send: (body) => send('POST', '/api/mcp-servers', {}, body),
  },
});

interface DifferenceProps {
  readonly name: string;
  readonly digest: string;
  readonly again: () => void;
}

/** The tools that a server offers anew or in another way, which are used once a person has confirmed them. */
function Difference({ name, digest, again }: DifferenceProps) {
  const path = { name };
  const { data } = useRead('/api/mcp-servers/{name}', { path }, { version: digest });
  const { data: tools } = useRead('/api/tools', {});
  const use = () => send('POST', '/api/mcp-servers/{name}/confirm', path, { digest });
  return (
    <Part title="Tools to confirm">
      <dl class="difference">
        {data?.pending?.tools.map(({ name: tool, change, description = 'no description' }) => {
          const before = tools?.find((each) => each.name === tool)?.description ?? description;
          return (
            <div key={tool}>
              <dt>
                <b>{tool}</b> {change}
              </dt>
              <dd>
                {before !== description && <del>{before}</del>}
                <ins>{description}</ins>
              </dd>
            </div>
          );
        })}
      </dl>
      <Actions
        actions={[{ name: 'Use these tools', isOff: data === undefined || !may('tools'), act: use }]}
        onDone={again}
      />
    </Part>
  );
}
