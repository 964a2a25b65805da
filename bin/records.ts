import { openEngine } from './foundation';
import { addRecords } from './parts';
import { runProcess } from './process';

/** The record-keeping API alone. */
runProcess('records', async (part) => {
  const records = await addRecords(part, await openEngine(part));
  part.logger.info({ url: records.url }, 'the records API is listening');
});
