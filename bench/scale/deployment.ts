import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Pool } from 'undici';
import { postJson } from '../post-json';
import type { BenchEngine } from './engine';
import { type BenchPart, type Environment, startPart } from './part';

/** An API and workers on one server, each in a separate process. */
export interface Deployment {
  readonly api: BenchPart;
  readonly workers: readonly BenchPart[];
  post(path: string, body: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

export interface DeploymentOptions {
  readonly engine: BenchEngine;
  readonly dir: string;
  readonly workers: number;
  readonly env: Environment;
  readonly apiCore?: number | undefined;
  readonly workerCore?: number | undefined;
  /** The option of `PartOptions`. */
  readonly build?: string | undefined;
}

export async function startDeployment(options: DeploymentOptions): Promise<Deployment> {
  const { engine, dir, apiCore, workerCore, build } = options;
  const env = {
    DATA_DIR: join(dir, 'data'),
    PORT: '0',
    TEMPORAL_ADDRESS: engine.address,
    TASK_QUEUE: `bench-${randomUUID()}`,
    LOG_LEVEL: 'info',
    // Tools have to call a peer on this machine.
    EGRESS_ALLOW_PRIVATE: 'true',
    ...options.env,
  };
  const parts: BenchPart[] = [];
  const start = async (...call: Parameters<typeof startPart>): Promise<BenchPart> => {
    const part = await startPart(...call);
    parts.push(part);
    return part;
  };
  const stop = async (): Promise<void> => {
    for (const part of parts.reverse()) await part.stop();
  };
  try {
    const api = await start('api', { env, saysWhenUp: 'the API is listening', core: apiCore, build });
    const workers: BenchPart[] = [];
    // The workers start one after another, because the first one creates the stores.
    for (let n = 0; n < options.workers; n += 1) {
      workers.push(
        await start('worker', { env, saysWhenUp: 'the worker is polling', core: workerCore, build }),
      );
    }
    const pool = new Pool(String(api.up['url']), { connections: 256 });
    return {
      api,
      workers,
      // Only status 200 is a success, because a call that was only accepted would be counted before its run ends.
      post: (path, body) => postJson(pool, path, body, { maxStatus: 200 }),
      async stop() {
        await pool.destroy();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
