import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../fixture-project';
import type { PartProcess } from '../process';
import { startOtherWorker } from './start';

const SET_UP = join(ROOT, 'scripts', 'setup', 'other-workers.mjs');
const commands = JSON.parse(
  spawnSync(process.execPath, [SET_UP, '--check'], { encoding: 'utf8' }).stdout,
) as Partial<Record<string, readonly [string, ...string[]]>>;

/** Starts a worker on a task queue, and waits until it polls. */
export type StartWorker = (queue: string) => Promise<PartProcess>;

/** Describes what workers in other languages do. One that is not installed is skipped, except in CI. */
export function describeWithLanguages(title: string, body: (start: StartWorker) => void): void {
  for (const [name, key] of [
    ['Python', 'python'],
    ['Go', 'go'],
  ] as const) {
    const command = commands[key];
    const isSkipped = command === undefined && process.env['CI'] !== 'true';
    (isSkipped ? describe.skip : describe)(`${title} ${name}`, () =>
      body((queue) => {
        if (command === undefined)
          throw new Error(`The worker in ${name} could not be made: see other-workers.mjs`);
        return startOtherWorker(queue, undefined, command);
      }),
    );
  }
}
