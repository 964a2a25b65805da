import { z } from 'zod';
import { bytes, count } from './fields';

export const recordSettings = {
  RECORDS_CORS_ORIGINS: z
    .string()
    .default('*')
    .describe(
      'Origins whose pages may read and change records, comma-separated, such as https://app.example; with * pages of any origin may read',
    ),
  RECORDS_MAX_RESULTS: count(1, 1_000).default(500).describe('Most records in one page of a list'),
  RECORDS_IMPORT_MAX_BYTES: bytes(1_024, 4_294_967_296)
    .default(256 * 1_048_576)
    .describe('Largest upload of an import of records, bytes; its rows are bounded by MAX_BODY_BYTES'),
  RECORDS_MAX_TRACE_SHIPMENTS: count(1, 100_000)
    .default(10_000)
    .describe('Most shipments that a trace may be asked for, each way'),
};
