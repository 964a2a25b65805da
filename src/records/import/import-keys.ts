/** All that is kept of imports. */
export const IMPORTS = 'imports';
/** Bodies that are still coming. No import has an id like this. */
export const UPLOADS = `${IMPORTS}/uploads`;

const ROWS_KEY = /^imports\/([^/]+)\/rows\.ndjson$/;

export const importFolder = (importId: string): string => `${IMPORTS}/${importId}`;
export const rowsOf = (importId: string): string => `${importFolder(importId)}/rows.ndjson`;
export const progressOf = (importId: string): string => `${importFolder(importId)}/progress.json`;
export const firstLookOf = (importId: string): string => `${importFolder(importId)}/first-look.json`;
/** Names the run of an import. */
export const runOf = (importId: string): string => `${importFolder(importId)}/run.json`;

/** The import that a key is the rows of; undefined for any other key. */
export function importOfRows(key: string): string | undefined {
  return ROWS_KEY.exec(key)?.[1];
}
