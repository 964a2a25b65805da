import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, isFree } from './free-port';

/** Assigns loopback ports to the parts of the cluster by name. */
export interface Ports {
  /**
   * Returns `wanted`. For 0 it returns the port that `name` had at the last start if that is still free, otherwise
   * a free one.
   */
  assign(name: string, wanted?: number): Promise<number>;
}

/**
 * Creates ports that stay the same from one start to the next. After a start the services of Temporal's server first
 * look for each other at their last addresses, and would wait for services that have moved.
 *
 * @param folder the folder that keeps the list of ports
 */
export function rememberPorts(folder: string): Ports {
  const file = join(folder, 'ports.json');
  const known = readPorts(file);
  const given = new Set<number>();
  return {
    async assign(name, wanted = 0) {
      if (wanted !== 0) return wanted;
      const before = known[name];
      const again = before !== undefined && !given.has(before) && (await isFree(before));
      const port = again ? before : await findUnassignedPort(given);
      given.add(port);
      known[name] = port;
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, `${JSON.stringify(known, null, 2)}\n`);
      return port;
    },
  };
}

async function findUnassignedPort(given: ReadonlySet<number>): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (!given.has(port)) return port;
  }
}

function readPorts(file: string): Record<string, number> {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, number] => Number.isInteger(entry[1])),
    );
  } catch {
    return {};
  }
}
