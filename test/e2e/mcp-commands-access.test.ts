import { send, type Answer } from '../support/http';
import { bearer, runKeys, SCOPES, type Key } from '../support/keys';
import { type Service, startService } from '../support/service';

/** It would be a 502 if it were run. */
const SERVER = { name: 'shop', command: 'no-such-program-here' };

async function addWith(service: Service, ...args: string[]): Promise<Answer> {
  const { key } = await runKeys<Key>(service.dataDir, 'create', '--name', 'test', ...args);
  return send('POST', `${service.url}/api/mcp-servers`, SERVER, bearer(key));
}

test('a service without the setting refuses commands, and names it', async () => {
  const service = await startService();
  try {
    const { status, body } = await service.post('/api/mcp-servers', SERVER);
    expect([status, body.message]).toEqual([403, 'Access denied']);
    expect(body.error).toMatch(/MCP_STDIO=yes/);
  } finally {
    await service.stop();
  }
});

test('only administrators of the tenant default may add commands', async () => {
  const service = await startService({ AUTH: 'keys', MCP_STDIO: 'yes' });
  const all = ['--scopes', SCOPES.join(',')];
  try {
    const acme = await addWith(service, ...all, '--tenant', 'acme');
    expect([acme.status, acme.body.message]).toEqual([403, 'Access denied']);
    const user = await addWith(service, ...all, '--user', 'ann');
    expect([user.status, user.body.message]).toEqual([403, 'Access denied']);
    const author = await addWith(service, '--scopes', 'tools');
    expect([author.status, author.body.details]).toEqual([403, { scope: 'admin' }]);
    const admin = await addWith(service, ...all);
    expect([admin.status, admin.body.message]).toEqual([502, 'MCP server unavailable']);
  } finally {
    await service.stop();
  }
});
