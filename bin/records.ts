import { openEngine } from './foundation';
import { openMetrics } from './metrics';
import { addRecords } from './parts';
import { runProcess } from './process';

/** Runs the records API alone. */
runProcess('records', async (part) => {
  const metrics = openMetrics(part);
  const records = await addRecords(part, { ...(await openEngine(part, metrics)), metrics });
  part.logger.info({ url: records.url }, 'the records API is listening');
});
