import { parseArgs } from 'node:util';
import { messageOf } from '../../src/base/errors';
import { UNVERSIONED } from '../../src/settings/workers';
import { DeploymentProblem } from './problem';

const USAGE = `usage: npm run deploy -- status
       npm run deploy -- promote <build> [--ramp <percent>] [--wait <seconds>] [--ignore-missing-queues]
       npm run deploy -- drain <build> [--wait <seconds>]
<build> is a WORKER_BUILD_ID, or ${UNVERSIONED} for workers without one`;

const PROMOTE_WAIT_S = 120;
/** The engine counts a build's runs again every few minutes. */
const DRAIN_WAIT_S = 900;
const MAX_WAIT_S = 86_400;

export type DeployCommand =
  | { readonly command: 'status' }
  | {
      readonly command: 'promote';
      /** Undefined: the workers without a build. */
      readonly buildId: string | undefined;
      readonly percent: number | undefined;
      readonly waitMs: number;
      readonly ignoreMissingQueues: boolean;
    }
  | { readonly command: 'drain'; readonly buildId: string; readonly waitMs: number };

/** Reads a command line. @throws DeploymentProblem that ends with the usage */
export function parseDeployArguments(args: readonly string[]): DeployCommand {
  const { positionals, values } = parse(args);
  const [command, build, ...more] = positionals;
  const { wait, ramp, 'ignore-missing-queues': ignoreMissingQueues = false } = values;
  if (more.length > 0) throw wrong(`${more[0]} is one word too many`);
  if (command === 'status') {
    if (build !== undefined || Object.keys(values).length > 0) throw wrong('status takes nothing else');
    return { command };
  }
  if (command !== 'promote' && command !== 'drain')
    throw wrong(command === undefined ? 'there is no command' : `${command} is no command`);
  if (build === undefined) throw wrong(`${command} needs a build`);
  if (command === 'promote') {
    const percent = ramp === undefined ? undefined : within('--ramp', ramp, 100);
    const waitMs = within('--wait', wait ?? String(PROMOTE_WAIT_S), MAX_WAIT_S) * 1_000;
    const buildId = build === UNVERSIONED ? undefined : build;
    if (percent !== undefined && buildId === undefined) throw wrong('a ramp needs a build');
    return { command, buildId, percent, waitMs, ignoreMissingQueues };
  }
  if (ramp !== undefined || ignoreMissingQueues) throw wrong('drain takes --wait alone');
  if (build === UNVERSIONED) throw wrong('the engine does not tell when workers without a build are drained');
  return {
    command,
    buildId: build,
    waitMs: within('--wait', wait ?? String(DRAIN_WAIT_S), MAX_WAIT_S) * 1_000,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ramp: { type: 'string' },
        wait: { type: 'string' },
        'ignore-missing-queues': { type: 'boolean' },
      },
    });
  } catch (error) {
    throw wrong(messageOf(error));
  }
}

function within(option: string, text: string, most: number): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (value > 0 && value <= most) return value;
  throw wrong(`${option} has to be above 0 and at most ${most}`);
}

function wrong(message: string): DeploymentProblem {
  return new DeploymentProblem(`${message}\n${USAGE}`);
}
