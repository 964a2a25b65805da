import { mkdir } from 'node:fs/promises';
import { messageOf } from '../src/base/errors';
import { isReadable } from '../src/base/logger';
import { checkModels } from '../src/llm/discovery/check-models';
import { reachModel } from '../src/llm/discovery/reach-model';
import { readHandover, followParent, reportUp } from '../src/supervision/parent-link';
import { beforeDeadline } from '../temporal/deadline';
import { readPolls } from '../temporal/task-queues';
import { toDeploymentVersion } from '../worker/deployment';
import type { StartedWorker } from '../worker/start-worker';
import { addApi } from './add-api';
import { addRecords } from './add-records';
import { addWorker } from './add-worker';
import { openAuthentication } from './authentication';
import { describeEmbedder, describeModels, printBanner } from './banner';
import { addDevServer } from './dev-server';
import { refuseExposure } from './exposure';
import { blameSetting, type Foundation, openFoundation } from './foundation';
import { type Part, runProcess } from './process';
import { waitBriefly } from './wait-briefly';

const ROUTING_LIMIT_MS = 3_000;

/** Present if `npm start` runs this file as its child process. */
const handover = readHandover(process.argv[2]);
if (handover !== undefined) followParent();

/**
 * Runs everything in one process: API, records API and worker on one connection. Temporal's development server is its
 * child process unless another server is configured. `npm start` is the parent that starts this process again
 * (`bin/start.ts`).
 */
runProcess(
  'holdfast',
  async (started) => {
    const { logger } = started;
    refuseExposure(started.config);
    // A person reads the banner in the place of the line.
    const atTerminal = process.stdout.isTTY && isReadable(started.config);
    const previous = handover?.previous;
    if (previous !== undefined) {
      const { how: reason, restarts } = previous;
      logger.warn({ reason, restarts }, 'the service ended abnormally and was started again');
    }
    // A restart does not repeat to the person at the terminal what the first start said.
    const isFirst = previous === undefined;
    const reached = await reachModel(started.config, { logger, atTerminal: atTerminal && isFirst });
    const config = await checkModels(reached, logger);
    const part = { ...started, config };
    const version = toDeploymentVersion(config);
    const devServer = config.externalTemporal ? undefined : await addDevServer(part);
    const opened = await openFoundation(part, devServer?.address);
    const foundation = { ...opened, ...(await openAuthentication(part, opened.documents)) };
    await blameSetting(`FILE_ROOT (${config.FILE_ROOT})`, () => mkdir(config.FILE_ROOT, { recursive: true }));
    // The worker is added before the API, so that it stops after it. It takes no tasks before the service is up,
    // because workflow code that ends the process would otherwise look like a failed start.
    let isUp: () => void = () => undefined;
    const mayBegin = new Promise<void>((resolve) => (isUp = resolve));
    const worker = await addWorker(part, foundation, { previous, mayBegin, isWholeService: true });
    // Each API leads to the other if callers of this machine reach both. Otherwise a proxy may give them other addresses.
    let apiUrl: string | undefined;
    const records = await addRecords(part, foundation, () => apiUrl);
    const uiUrl = config.TEMPORAL_UI_URL ?? devServer?.uiUrl;
    // An eager start hands a run straight to this worker, whichever build is current, so no build may be current.
    let eagerStart = false;
    if (version === undefined)
      void startsWithoutBuild(part, foundation, worker).then((noBuild) => (eagerStart = noBuild));
    const recordsUrl = config.loopback ? records.url : undefined;
    const api = await addApi(part, foundation, { eagerStart: () => eagerStart, uiUrl, recordsUrl });
    if (config.loopback) apiUrl = api.url;
    if (handover !== undefined) reportUp();
    isUp();
    const { address: temporal } = foundation.engine;
    const provider = foundation.models.default;
    const consoleUrl = config.CONSOLE === 'on' ? `${api.url}/console` : undefined;
    const urls = { api: api.url, records: records.url, console: consoleUrl, temporal, ui: uiUrl };
    const banner = { provider, config, apiUrl: api.url, recordsUrl: records.url, temporal, uiUrl };
    if (!(await waitBriefly(worker.polling))) {
      if (atTerminal) printBanner({ ...banner, temporalMissing: temporal });
      else logger.warn(urls, 'the API is listening, but Temporal is not connected yet: tools cannot run');
      await worker.polling;
    }
    if (atTerminal) printBanner(banner);
    const made = { models: describeModels(config, provider), embedder: describeEmbedder(config) };
    logger[atTerminal ? 'debug' : 'info']({ ...urls, ...made, ...version }, 'holdfast is up');
  },
  'whole',
);

/** Whether new runs start on workers without a build at the time when this worker begins to poll. */
async function startsWithoutBuild(
  { config: { TASK_QUEUE }, logger }: Part,
  { engine }: Foundation,
  { polling }: StartedWorker,
): Promise<boolean> {
  await polling;
  const connection = engine.current();
  try {
    const { current, ramping } = await beforeDeadline(connection.native, Date.now() + ROUTING_LIMIT_MS, () =>
      readPolls(connection, TASK_QUEUE, 'workflows'),
    );
    return current === undefined && ramping === undefined;
  } catch (error) {
    // Without eager start runs start too, one round trip later.
    logger.warn({ reason: messageOf(error) }, 'Temporal did not say whether a build takes new runs');
    return false;
  }
}
