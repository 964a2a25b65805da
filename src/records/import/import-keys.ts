/** The folder of all imports. */
export const IMPORTS = 'imports';
/** The folder of bodies that are still being received. No import has this id. */
export const UPLOADS = `${IMPORTS}/uploads`;

const ROWS_KEY = /^imports\/([^/]+)\/rows\.ndjson$/;

export const importFolder = (importId: string): string => `${IMPORTS}/${importId}`;
export const rowsKey = (importId: string): string => `${importFolder(importId)}/rows.ndjson`;
export const progressKey = (importId: string): string => `${importFolder(importId)}/progress.json`;
export const firstLookKey = (importId: string): string => `${importFolder(importId)}/first-look.json`;
/** The file that names the run of an import. */
export const runKey = (importId: string): string => `${importFolder(importId)}/run.json`;

/** The import whose rows a key names; undefined for any other key. */
export function parseRowsKey(key: string): string | undefined {
  return ROWS_KEY.exec(key)?.[1];
}
