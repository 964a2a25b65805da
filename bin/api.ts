import { openFoundation } from './foundation';
import { addApi, upToAMoment } from './parts';
import { runProcess } from './process';

/** The API alone; workers are elsewhere. */
runProcess('api', async (part) => {
  const { config, logger } = part;
  const foundation = await openFoundation(part);
  const uiUrl =
    config.TEMPORAL_UI_URL ??
    (config.externalTemporal ? undefined : `http://127.0.0.1:${config.TEMPORAL_UI_PORT}`);
  // Eager start needs a worker on the same connection.
  const api = await addApi(part, foundation, { uiUrl });
  const connected = await upToAMoment(foundation.engine.ready());
  logger.info({ url: api.url, temporal: foundation.engine.address }, 'the API is listening');
  if (!connected) logger.warn('Temporal is not connected yet: tools cannot run');
});
