import { createCheckedFetch, type CheckedFetch } from '../../../../../src/egress/checked-fetch';
import { createConnect } from '../../../client/connect';
import { listTools } from '../../../client/list-tools';
import { startRemoteMcp } from '../../../../../test/support/remote-mcp';
import { startSessionPeer } from '../../../../../test/support/session-peer';

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
  fetch = createCheckedFetch({ allowPrivate: true, maxBodyBytes: 1_000_000 });
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

test.each([1_500, 300])('a tool of %i levels is skipped, by JSON and by a stream', async (depth) => {
  let inputSchema: object = { type: 'object' };
  for (let level = 1; level < depth; level += 1) inputSchema = { type: 'object', not: inputSchema };
  const wide = Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [index, 0]));
  const tools = [
    FIND,
    { name: 'deep', inputSchema },
    { name: 'wide', inputSchema: { type: 'object', wide } },
  ];
  for (const streams of [false, true]) {
    const peer = await startSessionPeer({ tools, streams });
    try {
      expect(await list(peer.url)).toEqual({
        tools: ['find'],
        skipped: [
          { tool: 'deep', reason: 'its definition is nested deeper than 256 levels' },
          { tool: 'wide', reason: 'its definition is made of more than 32768 values' },
        ],
      });
    } finally {
      await peer.close();
    }
  }
});

test('a list with more tools than are kept or skipped is refused before they are checked', async () => {
  const peer = await startSessionPeer({ tools: Array.from({ length: 2_001 }, () => 0) });
  try {
    await expect(list(peer.url)).rejects.toMatchObject({
      code: 'MCP_SERVER_UNAVAILABLE',
      details: { reason: 'its answer lists more than 2000 tools' },
    });
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

test('a cursor that was seen before ends the list, which keeps its tools', async () => {
  const peer = await startSessionPeer({ tools: [FIND], nextCursor: 'again' });
  try {
    expect(await list(peer.url)).toEqual({ tools: ['find'], skipped: [] });
    expect(peer.methods().filter((method) => method === 'tools/list')).toHaveLength(2);
  } finally {
    await peer.close();
  }
});
