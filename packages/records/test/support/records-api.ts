import type { DemoWorld } from '../../domain/demo-world';
import { type Paths, pathsOf } from '../../../../test/support/http';
import { type PartProcess, spawnPart } from '../../../../test/support/process';
import { isolatedSettings } from '../../../../test/support/service';
import { makeTempDir } from '../../../../test/support/temp-dir';

/** The records API as a separate process on a separate folder. */
export interface RecordsApi extends Paths {
  readonly url: string;
  readonly process: PartProcess;
  readonly dataDir: string;
  /** Creates all records of a world. */
  fill(world: DemoWorld): Promise<void>;
  close(): Promise<void>;
}

export async function openRecords(env: Readonly<Record<string, string>> = {}): Promise<RecordsApi> {
  const dir = makeTempDir();
  const started = spawnPart('records', {
    ...isolatedSettings(dir.path),
    ...env,
  });
  const up = await started.line('the records API is listening').catch(async (error: unknown) => {
    await started.kill();
    dir.remove();
    throw error;
  });
  const url = String(up['url']);
  const paths = pathsOf(url);
  return {
    url,
    process: started,
    dataDir: dir.path,
    ...paths,
    async fill(world) {
      for (const collection of ['facilities', 'shipments', 'inspections', 'contaminants'] as const) {
        for (const fields of world[collection]) {
          const { status, text } = await paths.send('POST', `/api/${collection}`, fields);
          if (status !== 201) throw new Error(`${collection} ${fields.id}: ${status} ${text}`);
        }
      }
    },
    async close() {
      const code = await started.stop();
      dir.remove();
      if (code !== 0) throw new Error(`records ended with ${code}: ${started.output()}`);
    },
  };
}
