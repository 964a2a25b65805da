import { checkModels } from '../src/llm/discovery/check-models';
import { openAuthentication } from './authentication';
import { refuseExposure } from './exposure';
import { openFoundation } from './foundation';
import { addApi } from './add-api';
import { runProcess } from './process';
import { waitBriefly } from './wait-briefly';

/** Runs the API alone; workers run in other processes. */
runProcess('api', async (started) => {
  const { logger } = started;
  refuseExposure(started.config);
  const config = await checkModels(started.config, logger);
  const part = { ...started, config };
  const foundation = await openFoundation(part);
  const authentication = await openAuthentication(part, foundation.documents);
  const uiUrl =
    config.TEMPORAL_UI_URL ??
    (config.externalTemporal ? undefined : `http://127.0.0.1:${config.TEMPORAL_UI_PORT}`);
  // No eager start: it needs a worker on the same connection.
  const api = await addApi(part, { ...foundation, ...authentication }, { uiUrl });
  const connected = await waitBriefly(foundation.engine.ready());
  logger.info({ url: api.url, temporal: foundation.engine.address }, 'the API is listening');
  if (!connected) logger.warn('Temporal is not connected yet: tools cannot run');
});
