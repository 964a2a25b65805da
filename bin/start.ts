import { mkdir } from 'node:fs/promises';
import { deploymentVersionOf } from '../worker/deployment';
import { printBanner } from './banner';
import { addDevServer } from './dev-server';
import { openFoundation, usableAs } from './foundation';
import { addApi, addRecords, addWorker, upToAMoment } from './parts';
import { runProcess } from './process';

/**
 * Everything in one process: API, records API and worker on one connection, and beside it Temporal's
 * development server unless another server is configured.
 */
runProcess('holdfast', async (part) => {
  const { config, logger } = part;
  const version = deploymentVersionOf(config);
  const devServer = config.externalTemporal ? undefined : await addDevServer(part);
  const foundation = await openFoundation(
    part,
    devServer === undefined ? {} : { temporalAddress: devServer.address },
  );
  await usableAs(`FILE_ROOT (${config.FILE_ROOT})`, () => mkdir(config.FILE_ROOT, { recursive: true }));
  const worker = await addWorker(part, foundation);
  const records = await addRecords(part, foundation);
  const uiUrl = config.TEMPORAL_UI_URL ?? devServer?.uiUrl;
  // A run handed straight to this worker would begin on its build, whichever is current.
  const api = await addApi(part, foundation, { eagerStart: version === undefined, uiUrl });
  const urls = { api: api.url, records: records.url, temporal: foundation.engine.address, ui: uiUrl };
  const banner = { models: foundation.models, config, apiUrl: api.url, recordsUrl: records.url, uiUrl };
  const atTerminal = process.stdout.isTTY;
  if (!(await upToAMoment(worker.polling))) {
    logger.warn(urls, 'the API is listening, but Temporal is not connected yet: tools cannot run');
    if (atTerminal) printBanner({ ...banner, temporalMissing: foundation.engine.address });
    await worker.polling;
  } else if (atTerminal) {
    printBanner(banner);
  }
  logger.info({ ...urls, ...version }, 'holdfast is up');
});
