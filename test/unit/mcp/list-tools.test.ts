import { createCheckedFetch, type CheckedFetch } from '../../../src/egress/checked-fetch';
import { createConnect } from '../../../src/mcp/connect';
import { listTools } from '../../../src/mcp/list-tools';
import { startRemoteMcp } from '../../support/remote-mcp';
import { startSessionPeer } from '../../support/session-peer';

const FIND = { name: 'find', inputSchema: { type: 'object' } };
const MALFORMED = [
  { ...FIND, name: 'typeless', inputSchema: { properties: {} } },
  { ...FIND, name: 'undescribed', description: null },
];
const SKIPPED = [
  { tool: 'typeless', reason: expect.stringMatching(/^its definition is malformed: inputSchema.type: /) },
  { tool: 'undescribed', reason: expect.stringMatching(/^its definition is malformed: description: /) },
];

let fetch: CheckedFetch;
beforeEach(() => {
  fetch = createCheckedFetch({ allowPrivate: true, maxBodyBytes: 100_000 });
});
afterEach(() => fetch.close());

async function list(url: string): Promise<{ readonly tools: string[]; readonly skipped: object[] }> {
  const connect = createConnect(fetch, { open: () => Promise.reject(new Error('no commands here')) });
  const access = { url, headers: {}, owner: { tenant: 'default' }, allowPrivate: true };
  const { tools, skipped } = await listTools(connect, 'shop', access, new AbortController().signal);
  return { tools: tools.map(({ tool }) => tool), skipped: [...skipped] };
}

test('malformed tools of a server of 2026 are left out, with the reason, and the others are used', async () => {
  const tools = Object.fromEntries([FIND, ...MALFORMED].map(({ name, ...tool }) => [name, tool as object]));
  const remote = await startRemoteMcp(tools);
  try {
    expect(await list(remote.url)).toEqual({ tools: ['find'], skipped: SKIPPED });
  } finally {
    await remote.close();
  }
});

test('so are those of a server of 2025, whose results are objects', async () => {
  const odd = [null, { inputSchema: {} }, { ...FIND, name: 'listing', outputSchema: { type: 'array' } }];
  const peer = await startSessionPeer({ tools: [FIND, ...MALFORMED, ...odd] });
  try {
    const { tools, skipped } = await list(peer.url);
    expect(tools).toEqual(['find']);
    expect(skipped).toMatchObject([
      ...SKIPPED,
      { tool: '' },
      { tool: '' },
      { tool: 'listing', reason: 'its definition is malformed: outputSchema: is not that of an object' },
    ]);
  } finally {
    await peer.close();
  }
});

test('a cursor of null ends the list, as an absent one does', async () => {
  const peer = await startSessionPeer({ tools: [FIND], nextCursor: null });
  try {
    expect(await list(peer.url)).toEqual({ tools: ['find'], skipped: [] });
  } finally {
    await peer.close();
  }
});
