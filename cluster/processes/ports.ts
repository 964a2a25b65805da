import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, isFree } from './free-port';

/** Loopback ports by the name of what listens there. */
export interface Ports {
  /** `wanted`, or for 0 the port that `name` had the last time where it is free still, else a free one. */
  give(name: string, wanted?: number): Promise<number>;
}

/**
 * Ports that stay the same from one start to the next: the parts of Temporal's server look for each other for a while
 * where they were last seen, and would wait for those that have moved.
 *
 * @param folder holds the list of them
 */
export function rememberPorts(folder: string): Ports {
  const file = join(folder, 'ports.json');
  const known = read(file);
  const given = new Set<number>();
  return {
    async give(name, wanted = 0) {
      if (wanted !== 0) return wanted;
      const before = known[name];
      const again = before !== undefined && !given.has(before) && (await isFree(before));
      const port = again ? before : await another(given);
      given.add(port);
      known[name] = port;
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, `${JSON.stringify(known, null, 2)}\n`);
      return port;
    },
  };
}

async function another(given: ReadonlySet<number>): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (!given.has(port)) return port;
  }
}

function read(file: string): Record<string, number> {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, number] => Number.isInteger(entry[1])),
    );
  } catch {
    return {};
  }
}
