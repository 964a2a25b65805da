import { DEFAULT_TENANT } from '../../../src/contracts/tenants';
import { forgetPlaces } from '../../../src/conversation/forget-places';
import { createSessionOrder } from '../../../src/conversation/session-order';
import { createDocumentStore } from '../../../src/factories/create-stores';
import type { DocumentStore } from '../../../src/stores/documents';
import { temporaryFolder } from '../../contract/support/temporary-folder';

const signal = new AbortController().signal;
let folder: ReturnType<typeof temporaryFolder>;
let documents: DocumentStore;

beforeEach(() => {
  folder = temporaryFolder();
  documents = createDocumentStore({ path: folder.file('places.db') });
});
afterEach(async () => {
  await documents.close();
  folder.remove();
});

test('the places of a user are removed from every session, and those of others stay', async () => {
  let now = 0;
  const places = createSessionOrder({
    documents,
    now: () => (now += 1),
    maxWaiting: 10,
    runState: () => Promise.resolve('running'),
  });
  const turns = { first: 'ada/key-1', second: 'ada/key-2', third: 'bob/ada' };
  for (const [session, turn] of Object.entries(turns)) await places.take(session, `agent-turn/${turn}`);
  await forgetPlaces({ documents, now: Date.now }, { tenant: DEFAULT_TENANT, user: 'ada' }, signal);
  const left = await documents.list('session-places');
  expect(left).toHaveLength(3);
  expect(JSON.stringify(left)).not.toContain('agent-turn/ada/');
  expect(JSON.stringify(left)).toContain('agent-turn/bob/ada');
});

test('more sessions than one page has are looked through', async () => {
  const put = (at: number) => ({
    type: 'put' as const,
    collection: 'session-places',
    key: `session-${at}`,
    value: { workflowId: `agent-turn/ada/${at}`, placedAt: at },
  });
  const keys = Array.from({ length: 1_200 }, (_, at) => at);
  for (let at = 0; at < keys.length; at += 100) await documents.write(keys.slice(at, at + 100).map(put));
  await forgetPlaces({ documents, now: Date.now }, { tenant: DEFAULT_TENANT, user: 'ada' }, signal);
  expect(JSON.stringify(await documents.list('session-places'))).not.toContain('ada');
  const rest = await documents.list('session-places', { after: 'session-989' });
  expect(JSON.stringify(rest)).not.toContain('ada');
});
