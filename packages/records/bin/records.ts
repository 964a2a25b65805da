import { openAuthentication } from '../../../bin/authentication';
import { refuseExposure } from '../../../bin/exposure';
import { createPseudonyms } from '../../../src/secrets/pseudonyms';
import { createStore, loadServiceKey, openEngine } from '../../../bin/foundation';
import { openDisk } from '../../../bin/disk';
import { openMetrics } from '../../../bin/metrics';
import { addRecords } from '../../../bin/add-records';
import { runProcess } from '../../../bin/process';

/** Runs the records API alone. */
runProcess('records', async (part) => {
  refuseExposure(part.config);
  const metrics = openMetrics(part);
  // It has the keys and the names of tenants. Nothing is opened before a key is looked up.
  const documents = createStore(part.config);
  part.release(() => documents.close());
  const authentication = await openAuthentication(part, documents);
  const disk = openDisk(part);
  const engine = await openEngine(part, metrics);
  const pseudonyms = createPseudonyms(await loadServiceKey(part.config));
  const records = await addRecords(part, {
    ...engine,
    disk,
    documents,
    metrics,
    pseudonyms,
    ...authentication,
  });
  part.logger.info({ url: records.url }, 'the records API is listening');
});
