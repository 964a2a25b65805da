import type { CallToolResult } from '@modelcontextprotocol/client';
import { createCheckedFetch } from '../../../../../src/egress/checked-fetch';
import { createConnect } from '../../../client/connect';
import { startSessionPeer } from '../../../../../test/support/session-peer';
import { mendContent } from '../../../client/call-tool';

/** What the client makes of the answer of a server of 2025. */
async function callWith(called: object): Promise<CallToolResult> {
  const peer = await startSessionPeer({ called });
  const fetch = createCheckedFetch({ allowPrivate: true, maxBodyBytes: 100_000 });
  try {
    const connect = createConnect(fetch, { open: () => Promise.reject(new Error('no commands here')) });
    const access = { url: peer.url, headers: {}, owner: { tenant: 'default' }, allowPrivate: true };
    const signal = new AbortController().signal;
    const { client, close } = await connect(access, { signal, timeoutMs: 10_000 });
    mendContent(client);
    const result = await client.callTool({ name: 'find', arguments: {} });
    await close();
    return result;
  } finally {
    await fetch.close();
    await peer.close();
  }
}

const TEXT = { type: 'text', text: 'tea' };

test.each<[string, object, object]>([
  ['is well-formed', { content: [TEXT] }, { content: [TEXT] }],
  ['has no content', { structuredContent: { a: 1 } }, { content: [], structuredContent: { a: 1 } }],
  ['has null for what is absent', { content: null, structuredContent: null, isError: null }, { content: [] }],
  ['is a text', { content: 'tea' }, { content: [TEXT] }],
  ['is one part', { content: TEXT }, { content: [TEXT] }],
  [
    'has parts that no one knows',
    { content: [TEXT, { type: 'video', data: 'AA' }, { type: 'text' }, null, 'tea'] },
    {
      content: [
        TEXT,
        { type: 'text', text: '{"type":"video","data":"AA"}' },
        { type: 'text', text: '{"type":"text"}' },
        { type: 'text', text: 'null' },
        TEXT,
      ],
    },
  ],
  [
    'has structured content of another revision',
    { content: [TEXT], structuredContent: [1] },
    { content: [TEXT, { type: 'text', text: '[1]' }] },
  ],
])('an answer that %s is read', async (_, called, result) => {
  expect(await callWith(called)).toMatchObject(result);
  expect((await callWith(called)).isError).toBeUndefined();
});
