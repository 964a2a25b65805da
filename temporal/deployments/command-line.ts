import { parseArgs } from 'node:util';
import { messageOf } from '../../src/base/errors';
import { UNVERSIONED } from '../../src/settings/workers';
import { DeploymentProblem } from './problem';

const USAGE = `usage: npm run deploy -- status
       npm run deploy -- promote <build> [--ramp <percent>] [--wait <seconds>] [--ignore-missing-queues]
       npm run deploy -- drain <build> [--wait <seconds>]
<build> is a WORKER_BUILD_ID, or ${UNVERSIONED} for workers without one`;

const PROMOTE_WAIT_S = 120;
/** The default is longer than for a promotion, because the engine counts the runs of a build every few minutes only. */
const DRAIN_WAIT_S = 900;
const MAX_WAIT_S = 86_400;

export type DeployCommand =
  | { readonly command: 'status' }
  | {
      readonly command: 'promote';
      /** Undefined for the workers without a build. */
      readonly buildId: string | undefined;
      readonly percent: number | undefined;
      readonly waitMs: number;
      readonly ignoreMissingQueues: boolean;
    }
  | { readonly command: 'drain'; readonly buildId: string; readonly waitMs: number };

/**
 * Reads the command line of `npm run deploy`.
 * @throws DeploymentProblem whose message ends with the usage
 */
export function parseDeployArguments(args: readonly string[]): DeployCommand {
  const { positionals, values } = parseOptions(args);
  const [command, build, ...more] = positionals;
  const { wait, ramp, 'ignore-missing-queues': ignoreMissingQueues = false } = values;
  if (more.length > 0) throw toUsageProblem(`${more[0]} is one word too many`);
  if (command === 'status') {
    if (build !== undefined || Object.keys(values).length > 0)
      throw toUsageProblem('status takes nothing else');
    return { command };
  }
  if (command !== 'promote' && command !== 'drain')
    throw toUsageProblem(command === undefined ? 'there is no command' : `${command} is no command`);
  if (build === undefined) throw toUsageProblem(`${command} needs a build`);
  if (command === 'promote') {
    const percent = ramp === undefined ? undefined : parseBounded('--ramp', ramp, 100);
    const waitMs = parseBounded('--wait', wait ?? String(PROMOTE_WAIT_S), MAX_WAIT_S) * 1_000;
    const buildId = build === UNVERSIONED ? undefined : build;
    if (percent !== undefined && buildId === undefined) throw toUsageProblem('a ramp needs a build');
    return { command, buildId, percent, waitMs, ignoreMissingQueues };
  }
  if (ramp !== undefined || ignoreMissingQueues) throw toUsageProblem('drain takes --wait alone');
  if (build === UNVERSIONED)
    throw toUsageProblem('the engine does not report when workers without a build are drained');
  return {
    command,
    buildId: build,
    waitMs: parseBounded('--wait', wait ?? String(DRAIN_WAIT_S), MAX_WAIT_S) * 1_000,
  };
}

function parseOptions(args: readonly string[]) {
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
    throw toUsageProblem(messageOf(error));
  }
}

function parseBounded(option: string, text: string, max: number): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (value > 0 && value <= max) return value;
  throw toUsageProblem(`${option} has to be above 0 and at most ${max}`);
}

function toUsageProblem(message: string): DeploymentProblem {
  return new DeploymentProblem(`${message}\n${USAGE}`);
}
