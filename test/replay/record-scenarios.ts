import { facilityRows } from '../support/imports';
import type { ImportScenario } from './scenario';

/** Work on many records: more than one step, and rows that cannot be created. */
export function importScenarios(): ImportScenario[] {
  return [{ name: 'importRecords-imported', rows: [...facilityRows(1_100), 'no JSON'] }];
}
