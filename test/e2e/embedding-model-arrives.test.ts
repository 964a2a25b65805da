import { join } from 'node:path';
import { symlinkSync } from 'node:fs';
import { realModel } from '../support/embedding-models';
import { addEpisodic, findMemories } from '../support/memories';
import { startService } from '../support/service';
import { makeTempDir } from '../support/temp-dir';
import { waitFor } from '../support/wait';

const model = realModel('all-MiniLM-L6-v2');
const dir = makeTempDir();

afterAll(() => dir.remove());

/** Starts the service on one data folder, with a model in a folder that may not exist. */
function start() {
  return startService({
    DATA_DIR: join(dir.path, 'data'),
    MEMORY_EMBEDDING_PROVIDER: 'auto',
    MEMORY_EMBEDDING_MODEL: join(dir.path, 'all-MiniLM-L6-v2'),
    MEMORY_EMBEDDING_DIMENSIONS: '384',
  });
}

type Started = Awaited<ReturnType<typeof start>>;

const healthOf = async ({ get }: Started) => (await get('/api/health/detailed')).body.data.services.embedder;
const logged = ({ process }: Started, text: string): boolean =>
  process.lines.some(({ msg }) => msg.includes(text));
const found = async (service: Started): Promise<number> =>
  (await findMemories(service, 'ann', 'Which pet do I have?')).body.data.episodic.length;

(model === undefined ? test.skip : test)(
  'memories are found by words while there is no model, and moved to it once it is there',
  async () => {
    const without = await start();
    try {
      await addEpisodic(without, { userId: 'ann', content: 'We adopted a kitten called Mila' });
      expect(await healthOf(without)).toMatchObject({
        status: 'degraded',
        provider: 'lexical',
        finds: 'words',
        note: expect.stringMatching(
          /all-MiniLM-L6-v2 would find them by their meaning, but cannot be used: there is no/,
        ),
      });
      await waitFor(() => logged(without, 'Memories are found by their words'), {
        what: 'the log to say how memories are found',
      });
      expect(await found(without)).toBe(0);
    } finally {
      await without.stop();
    }
    symlinkSync(model!, join(dir.path, 'all-MiniLM-L6-v2'));
    const having = await start();
    try {
      await waitFor(async () => (await found(having)) === 1, {
        what: 'the memory to be found by its meaning',
      });
      expect(await healthOf(having)).toMatchObject({ status: 'healthy', finds: 'meaning', dimensions: 384 });
      expect(logged(having, 'memories are moved to the embedding model, by a run')).toBe(true);
    } finally {
      await having.stop();
    }
  },
);
