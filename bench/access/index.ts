import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'undici';
import { createKeyStore } from '../../src/access/key-store';
import { createDocumentStore } from '../../src/factories/create-stores';
import { measureThroughput } from '../load';
import { readChildren, readOwnCpuMs } from '../scale/cpu';
import { startService, type BenchService } from '../service';
import { median } from '../statistics';
import { makeBenchFolder } from '../unwinding';

export interface AccessReport {
  /** CPU time of the service for one request, ms: medians over rounds. */
  readonly off: number;
  readonly keys: number;
  readonly userOfTenant: number;
}

const ROUNDS = 7;
const REQUESTS = 3_000;
const AT_ONCE = 16;
/** A request that needs a key and starts no run. */
const PATH = '/api/tools/calculator';

interface Subject {
  readonly service: BenchService;
  readonly headers: Record<string, string>;
}

/**
 * Measures what keys cost a request: a service without them, one with them, and the latter for a caller of one user in a tenant.
 * The three take turns in each round.
 */
export async function benchAccess(): Promise<AccessReport> {
  const folders = [makeBenchFolder(), makeBenchFolder()] as const;
  const [key, userKey] = await createKeys(folders[1]);
  const open = await startService(folders[0]);
  const closed = await startService(folders[1], { AUTH: 'keys' }, bearer(key));
  try {
    const subjects = {
      off: { service: open, headers: {} },
      keys: { service: closed, headers: bearer(key) },
      userOfTenant: { service: closed, headers: bearer(userKey) },
    } satisfies Record<string, Subject>;
    const figures: Record<keyof typeof subjects, number[]> = { off: [], keys: [], userOfTenant: [] };
    const names = Object.keys(subjects) as (keyof typeof subjects)[];
    // The first round warms the code up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const name of names) {
        const cpu = await measure(subjects[name]);
        if (round > 0) figures[name].push(cpu);
      }
    }
    return {
      off: median(figures.off),
      keys: median(figures.keys),
      userOfTenant: median(figures.userOfTenant),
    };
  } finally {
    await open.stop();
    await closed.stop();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

async function createKeys(dataDir: string): Promise<[string, string]> {
  const documents = createDocumentStore({ path: join(dataDir, 'holdfast.db') });
  try {
    const keys = createKeyStore({ documents });
    const { key } = await keys.create({ name: 'bench', scopes: ['read', 'run'] });
    const user = await keys.create({ name: 'user', scopes: ['read'], tenant: 'bench', userId: 'ann' });
    return [key, user.key];
  } finally {
    await documents.close();
  }
}

async function measure({ service, headers }: Subject): Promise<number> {
  const pid = readChildren(service.pid).at(0) ?? service.pid;
  const pool = new Pool(service.url, { connections: AT_ONCE });
  try {
    const before = readOwnCpuMs(pid);
    const call = async (): Promise<void> => {
      const { statusCode, body } = await pool.request({ method: 'GET', path: PATH, headers });
      await body.dump();
      if (statusCode !== 200) throw new Error(`${PATH} was answered with ${statusCode}`);
    };
    await measureThroughput(call, AT_ONCE, REQUESTS);
    return (readOwnCpuMs(pid) - before) / REQUESTS;
  } finally {
    await pool.close();
  }
}

export function printAccess({ off, keys, userOfTenant }: AccessReport): void {
  console.log(`| callers | CPU ms a request |\n| --- | ---: |`);
  for (const [name, cpu] of [
    ['AUTH=off', off],
    ['AUTH=keys', keys],
    ['AUTH=keys, a user of a tenant', userOfTenant],
  ] as const)
    console.log(`| ${name} | ${cpu.toFixed(3)} |`);
}
