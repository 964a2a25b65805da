import { Client, Connection } from '@temporalio/client';
import { findMissingPrograms } from './cluster/programs';
import { lackForNeo4j, offerNeo4j } from './neo4j-lease';
import { startOwnTemporal } from './own-temporal';
import { offerServices } from './shared-services';

/** Stops what the set-up started; the global tear-down calls it in the same process. */
export type TearDown = () => Promise<void>;

declare global {
  var holdfastTearDown: TearDown | undefined;
}

/**
 * Starts one real Temporal server for all suites, on free ports and in a new folder, and offers a Neo4j server and
 * services, each of which starts when a suite asks for it.
 */
export default async function globalSetup(): Promise<void> {
  const server = await startOwnTemporal();
  const neo4j = await offerNeo4j();
  // Jest's workers inherit these variables.
  process.env['HOLDFAST_TEST_TEMPORAL'] = server.address;
  process.env['HOLDFAST_TEST_NEO4J'] = String(neo4j.port);
  // Services connect to the Temporal server of the variable above.
  const services = await offerServices();
  process.env['HOLDFAST_TEST_SERVICES'] = String(services.port);
  skipNeo4jWhereItLacks();
  skipClusterWhereItLacks();
  globalThis.holdfastTearDown = async () => {
    await neo4j.close();
    const left = await listOpenRuns(server.address);
    const problems = await services.close();
    await server.stop();
    // Jest fails a run whose tear-down throws.
    if (left.length > 0) problems.push(`the suites left runs open: ${left.join(', ')}`);
    if (problems.length > 0) throw new Error(problems.join('; '));
  };
}

/** Without Neo4j and S3 servers, their suites are skipped on a developer's machine and fail under CI. */
function skipNeo4jWhereItLacks(): void {
  const lack = lackForNeo4j(process.env);
  if (lack === undefined || process.env['CI'] === 'true') return;
  process.env['HOLDFAST_TEST_NEO4J_LACKS'] = lack;
  process.stderr.write(`\nThe suites on a real Neo4j or S3 server are skipped: ${lack}.\n`);
}

/** The same rule for the suites on several processes, which have a Neo4j server too. */
function skipClusterWhereItLacks(): void {
  const lack = lackForNeo4j(process.env) ?? findMissingPrograms();
  if (lack === undefined || process.env['CI'] === 'true') return;
  process.env['HOLDFAST_TEST_CLUSTER_LACKS'] = lack;
  process.stderr.write(`\nThe suites of test/cluster are skipped. ${lack}\n`);
}

/** Runs that have not ended, each with its task queue, which names the suite. */
async function listOpenRuns(address: string): Promise<string[]> {
  const connection = await Connection.connect({ address });
  try {
    const runs: string[] = [];
    const query = "ExecutionStatus = 'Running'";
    for await (const { workflowId, taskQueue } of new Client({ connection }).workflow.list({ query }))
      runs.push(`${workflowId} on ${taskQueue}`);
    return runs;
  } finally {
    await connection.close();
  }
}
