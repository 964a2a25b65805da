import { type OldFolder, openOldFolder, withKey } from '../../support/data-folders';
import { waitFor } from '../../support/wait';

type Check = (folder: OldFolder) => Promise<void>;

/**
 * Tests that today's service starts on folders and finds all that is in them.
 * @param folders the build that made each, the last one before the change of which its text says
 */
export function testFolders(folders: readonly (readonly [commit: string, about: string])[]): void {
  test.each(folders)('the folder of %s starts: %s', async (commit) => {
    const folder = await openOldFolder(commit);
    try {
      await expectHeld(folder);
    } finally {
      await folder.stop();
    }
  });
}

/** Expects of a folder that today's service finds in it, and can use, everything that its build has stored. */
export async function expectHeld(folder: OldFolder): Promise<void> {
  const { holds } = folder;
  await expectTools(folder);
  if (holds.workflow !== undefined) await expectWorkflow(folder);
  if (holds.memories !== undefined) await expectMemories(folder);
  if (holds.languages !== undefined) await expectLanguages(folder);
  if (holds.erasure !== undefined) await expectErased(folder);
  if (holds.records !== undefined) await expectRecords(folder);
  if (holds.classifications !== undefined) await expectModelKey(folder);
  if (holds.mcp !== undefined) await expectRemote(folder);
  if (holds.tenant !== undefined) await expectTenant(folder);
}

const expectTools: Check = async ({ api, holds }) => {
  expect((await api.get('/api/tools/stats')).body.data.totalExecutions).toBeGreaterThanOrEqual(holds.calls);
  const call = { toolName: holds.tool, args: { n: 21 } };
  expect((await api.post('/api/tools/execute', call)).body).toMatchObject({ data: { result: 42 } });
  const run = await api.get(`/api/runs/${holds.run.traceId}`);
  expect(run.body.data).toMatchObject({ status: 'completed', workflowId: holds.run.workflowId });
  expect(run.text).toContain('large large');
  const another = { name: 'another', description: 'Says so', parameters: {}, execute: '() => "yes"' };
  expect((await api.post('/api/tools/register', another)).status).toBe(201);
};

const expectWorkflow: Check = async ({ api, holds: { workflow: workflowId } }) => {
  const { body } = await api.post('/api/workflow/execute-custom', { workflowId });
  expect(body).toMatchObject({ data: { status: 'completed', results: { sum: { result: 42 } } } });
};

const expectMemories: Check = async ({ api, holds }) => {
  const { first, second, concept, child } = holds.memories!;
  const idsIn = async (path: string, query: object): Promise<string[]> =>
    (await api.post(path, { userId: 'ann', ...query })).body.data.map(({ id }: { id: string }) => id);
  expect((await api.get(`/api/memory/episodic/${first}`)).body.data.content).toBe('I live in Leeds.');
  const events = await api.post('/api/memory/search', { userId: 'ann', query: 'heron by the canal' });
  expect(events.body.data.episodic).toContainEqual(expect.objectContaining({ id: second }));
  const query = 'a grey bird that waits beside water';
  expect(await idsIn('/api/memory/semantic/search', { query, threshold: 0.1 })).toContain(concept);
  const related = await api.get(`/api/memory/related/${child}`);
  expect(related.body.data.semantic).toMatchObject([{ id: concept, relationship: 'parent' }]);
  const added = { userId: 'ann', sessionId: 's-1', content: 'I live in York now.' };
  expect((await api.post('/api/memory/episodic', added)).status).toBe(201);
  if (holds.fact !== undefined) {
    const facts = await api.get('/api/memory/facts/ann?history=true');
    expect([facts.text.includes('Leeds'), facts.text.includes('York')]).toEqual([true, true]);
  }
  if (holds.turn !== undefined) {
    const options = { userId: 'bea', sessionId: 's-2' };
    const turn = await api.post('/api/agent/execute', { query: 'What is my sister called?', options });
    expect(turn.body.data.response).toContain('Mary');
  }
};

/** The build of the folder indexed words without their parts. */
const expectLanguages: Check = async ({ api, holds }) => {
  for (const [query, content] of Object.entries(holds.languages ?? {})) {
    const search = () => api.post('/api/memory/search', { userId: 'eve', query });
    await waitFor(async () => (await search()).body.data.episodic[0]?.content === content, {
      what: `"${content}" to be found by ${query}`,
    });
  }
};

const expectErased: Check = async ({ api, holds }) => {
  expect((await api.get('/api/memory/stats/cal')).body.data.episodic.count).toBe(0);
  const receipt = holds.erasure?.receipt;
  if (receipt !== undefined) expect((await api.get(`/api/memory/erasures/${receipt}`)).status).toBe(200);
};

const expectRecords: Check = async ({ records, holds: { records: id } }) => {
  expect((await records.get(`/api/shipments/${id}`)).body.data).toMatchObject({ originFacilityId: 'farm-1' });
  const planned = await records.get('/api/shipments?status=planned&lot=LOT-1');
  expect(planned.body.data).toMatchObject({ total: 1, shipments: [{ id }] });
  expect((await records.send('DELETE', '/api/facilities/farm-1')).status).toBe(409);
};

/** The key of the model provider was sealed. The provider is asked with it, and refuses. */
const expectModelKey: Check = async ({ api, models }) => {
  const options = { userId: 'ann', sessionId: 's-1' };
  await api.post('/api/intent-classifier/classify', { query: 'How are you?', options });
  expect(models.requests.at(-1)?.headers.authorization).toBe('Bearer sk-planted-for-a-folder');
};

/** The headers of the remote MCP server were sealed. */
const expectRemote: Check = async ({ api, remote }) => {
  expect((await api.post('/api/mcp-servers/shop/refresh', {})).status).toBe(200);
  await waitFor(() => remote.headers()['x-shop'] === 'planted-for-a-folder', { what: 'the header' });
};

const expectTenant: Check = async ({ api, holds, process }) => {
  const url = String((await process.line('holdfast is up'))['api']);
  const stats = await withKey(url, holds.tenant).get('/api/memory/stats/ann');
  expect(stats.body.data).toMatchObject({ episodic: { count: 0 }, semantic: { count: 0 } });
  expect((await withKey(url, holds.tenant).get('/api/memory/stats/bea')).status).toBe(403);
  expect((await api.get('/api/memory/stats/ann')).body.data.episodic.count).toBeGreaterThan(0);
};
