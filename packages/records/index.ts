/** The face for the wiring of every process. It loads no HTTP server, so that a worker can use it. */
export { createRecordActivities } from './activities';
export { createRecordImportFiles } from './domain/import/create-import-files';
export { createRecordStores } from './create-record-stores';
