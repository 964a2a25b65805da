import { type DeployCommand, parseDeployArguments } from '../temporal/deployments/command-line';
import type { Deployment } from '../temporal/deployments/deployment';
import { createDeployments, type Deployments } from '../temporal/deployments/deployments';
import { drain } from '../temporal/deployments/drain';
import { DeploymentProblem } from '../temporal/deployments/problem';
import { promote } from '../temporal/deployments/promote';
import { describeStatus } from '../temporal/deployments/status';
import { createEngine } from '../temporal/engine';
import { installRuntime } from '../temporal/runtime';
import { type Part, runCommand } from './process';
import { withinTime } from '../src/base/async/time-limit';

const CONNECT_LIMIT_MS = 15_000;

/** Shows and changes which build of the workers takes new runs. It needs the Temporal server alone, and no store. */
runCommand('deploy', async (part) => {
  try {
    const command = parseDeployArguments(process.argv.slice(2));
    const deployments = await openDeployments(part);
    for (const line of await run(command, deployments, part)) print(line);
  } catch (error) {
    if (!(error instanceof DeploymentProblem)) throw error;
    console.error(`deploy: ${error.message}`);
    part.end(1);
  }
});

function run(command: DeployCommand, deployments: Deployments, { config }: Part): Promise<string[]> {
  const { WORKER_DEPLOYMENT_NAME: named, TASK_QUEUE: taskQueue } = config;
  return withName(deployments, named, async (name) => {
    switch (command.command) {
      case 'status':
        return describeStatus(deployments, await requireDeployment(deployments, name));
      case 'promote':
        return [await promote(deployments, { ...command, name, taskQueue, report: print })];
      case 'drain':
        return [await drain(deployments, { ...command, name, report: print })];
    }
  });
}

/**
 * Runs the action on the named deployment, or on the only one of the namespace.
 * @throws DeploymentProblem if no deployment is named, and there is not exactly one
 */
async function withName(
  deployments: Deployments,
  named: string | undefined,
  action: (name: string) => Promise<string[]>,
): Promise<string[]> {
  if (named !== undefined) return action(named);
  const names = await deployments.list();
  const [only] = names;
  if (only !== undefined && names.length === 1) return action(only);
  throw new DeploymentProblem(
    only === undefined
      ? 'there is no deployment: start workers with WORKER_DEPLOYMENT_NAME and WORKER_BUILD_ID'
      : `there are several deployments: set WORKER_DEPLOYMENT_NAME to one of ${names.join(', ')}`,
  );
}

async function requireDeployment(deployments: Deployments, name: string): Promise<Deployment> {
  const deployment = await deployments.describe(name);
  if (deployment !== undefined) return deployment;
  throw new DeploymentProblem(`no worker of a deployment ${name} has polled; start some with that name`);
}

async function openDeployments(part: Part): Promise<Deployments> {
  const { config } = part;
  // The output is for a person, so of the engine's log lines only errors are shown.
  const logger = part.logger.child({}, { level: 'error' });
  // This process ends soon and exposes no metrics.
  const noMetrics = { METRICS_ADDRESS: undefined, OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: undefined };
  installRuntime(logger, { ...config, ...noMetrics }, part.name);
  const engine = createEngine({ config, logger, dataConverter: {} });
  part.release(() => engine.close());
  const connection = await withinTime(engine.ready(), CONNECT_LIMIT_MS);
  if (connection !== undefined) return createDeployments(connection, config.identity);
  throw new DeploymentProblem(
    `Temporal did not answer at ${engine.address} within ${CONNECT_LIMIT_MS / 1_000} s; check TEMPORAL_ADDRESS`,
  );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
