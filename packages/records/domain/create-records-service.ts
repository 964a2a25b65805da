import { type Shipment, statusesAfter } from '../contracts/shipments';
import { HoldfastError } from '../../../src/base/errors';
import type { RecordStore } from '../stores/record-store';
import { createRecords, type Records } from './record-collection';
import { createRecordExport, type RecordExport } from './export';
import { createTraces, type Traces } from './trace/create-traces';

/** The record-keeping service over a store. */
export interface RecordsService {
  readonly facilities: Records<'facilities'>;
  readonly shipments: Records<'shipments'>;
  readonly contaminants: Records<'contaminants'>;
  readonly inspections: Records<'inspections'>;
  readonly traces: Traces;
  readonly exportRecords: RecordExport;
}

export function createRecordsService(store: RecordStore): RecordsService {
  return {
    facilities: createRecords({ store, collection: 'facilities' }),
    shipments: createRecords({ store, collection: 'shipments', checkChange: checkTransition }),
    contaminants: createRecords({ store, collection: 'contaminants' }),
    inspections: createRecords({ store, collection: 'inspections' }),
    traces: createTraces(store),
    exportRecords: createRecordExport(store),
  };
}

/** @throws HoldfastError `RECORD_TRANSITION` */
function checkTransition(before: Shipment, after: Shipment): void {
  const { status: from } = before;
  const { status: to } = after;
  const allowed = statusesAfter(before);
  const refuse = (message: string): never => {
    throw new HoldfastError('RECORD_TRANSITION', message, { details: { from, to, allowed } });
  };
  if (from !== to && !allowed.includes(to)) {
    const next = allowed.length === 0 ? 'that is its last status' : `it may become ${allowed.join(', ')}`;
    refuse(`A shipment that is ${from} cannot become ${to}; ${next}`);
  }
  // Without a departure time the next change could cancel goods that are on their way.
  if (before.departedAt !== undefined && after.departedAt === undefined)
    refuse('A shipment that has left must keep a departedAt, which may change');
}
