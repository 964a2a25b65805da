import type { HttpServer } from '../api/http/server';
import { startApi } from '../api/start-api';
import type { StartedRun } from '../temporal/runs/started-run';
import type { Authentication } from './authentication';
import { logEgressOfRuns, warnOfExposure } from './exposure';
import type { Foundation } from './foundation';
import type { Part } from './process';
import type { McpAdditions } from '../packages/mcp';

/** How long the HTTP server may take beyond the grace time to send its last answers, ms. */
const LAST_ANSWERS_MS = 1_000;

export interface ApiOptions {
  /** Whether a worker of this process may take a new run at once; absent if the process has no worker. */
  readonly eagerStart?: () => boolean;
  /** Address of the Temporal UI. If it is undefined, answers carry no link. */
  readonly uiUrl: string | undefined;
  readonly mcpAdditions?: McpAdditions;
  /** As in `ApiPorts`. */
  readonly recordsUrl?: string | undefined;
}

/** Starts the API. It stops before all other parts, so that no request reaches a service that is partly stopped. */
export async function addApi(
  part: Part,
  foundation: Foundation & Authentication,
  { eagerStart, uiUrl, mcpAdditions, recordsUrl }: ApiOptions,
): Promise<HttpServer> {
  const { config, logger, release, graceLeft } = part;
  const { engine } = foundation;
  logEgressOfRuns(part);
  const server = await startApi({
    config,
    logger,
    ...foundation,
    eagerStart,
    mcpAdditions,
    recordsUrl,
    ...(uiUrl === undefined
      ? {}
      : { runLink: (run: StartedRun) => runLink(uiUrl, engine.current().namespace, run) }),
  });
  release(() => server.close(graceLeft()), config.SHUTDOWN_GRACE_MS + LAST_ANSWERS_MS);
  warnOfExposure(part, 'API', server.url);
  return server;
}

function runLink(uiUrl: string, namespace: string, { workflowId, runId }: StartedRun): string {
  const base = uiUrl.replace(/\/+$/, '');
  return `${base}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}/${runId}/history`;
}
