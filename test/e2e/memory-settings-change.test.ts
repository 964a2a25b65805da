import { addEpisodic, clearMemories, LEXICAL, newUser } from '../support/memories';
import { type Service, startService } from '../support/service';
import { makeTempDir } from '../support/temp-dir';

const folder = makeTempDir();
afterAll(() => folder.remove());

/** Runs `work` on a service with these settings; all of them have the same memories. */
async function withSettings(env: Record<string, string>, work: (service: Service) => Promise<void>) {
  const service = await startService({ ...LEXICAL, DATA_DIR: folder.path, ...env });
  try {
    await work(service);
  } finally {
    await service.stop();
  }
}

const factsOf = async ({ get }: Service, userId: string): Promise<string[]> =>
  (await get(`/api/memory/facts/${userId}`)).body.data.facts.map(({ value }: { value: string }) => value);
const consolidationsOf = async ({ get }: Service, userId: string): Promise<string[]> =>
  (await get(`/api/memory/consolidations/${userId}`)).body.data.consolidations.map(
    ({ id }: { id: string }) => id,
  );

test('facts and archived memories stay, and are erased, where the vectors are kept elsewhere or not at all', async () => {
  const [kept, erased] = [newUser(), newUser()];
  await withSettings({}, async (service) => {
    for (const userId of [kept, erased]) {
      for (const content of ['I live in Leeds.', 'I live in Leeds.'])
        await addEpisodic(service, { userId, content });
      expect((await service.post(`/api/memory/consolidate/${userId}`, {})).body.data.archived).toBe(1);
    }
  });
  await withSettings({ VECTOR_STORE: 'none' }, async (service) => {
    expect(await factsOf(service, kept)).toEqual(['Leeds']);
    expect((await clearMemories(service, erased)).body.data.erased).toMatchObject({
      episodic: 1,
      archived: 1,
    });
  });
  await withSettings({}, async (service) => {
    expect([await factsOf(service, erased), await consolidationsOf(service, erased)]).toEqual([[], []]);
    const [id = ''] = await consolidationsOf(service, kept);
    const undone = await service.post(`/api/memory/consolidations/${kept}/${id}/undo`, {});
    expect([undone.status, undone.body.data.restored]).toEqual([200, 1]);
  });
});
