import { openEngine } from './foundation';
import { openMetrics } from './metrics';
import { addRecords } from './parts';
import { runProcess } from './process';

/** The record-keeping API alone. */
runProcess('records', async (part) => {
  const metrics = openMetrics(part);
  const records = await addRecords(part, { ...openEngine(part, metrics), metrics });
  part.logger.info({ url: records.url }, 'the records API is listening');
});
