import { pathOfTenant, TENANTS } from '../../stores/tenants/tenant-folder';

/** The folder of the imports of all tenants. */
export const IMPORTS = 'imports';
/** The name of the folder of bodies that are still being received. */
const UPLOADS = 'uploads';

// No import has the id `uploads` or `tenants`, because every id ends with random characters or with those of a digest.
const FOLDER = `${IMPORTS}/(?:${TENANTS}/[^/]+/)?`;
const ROWS_KEY = new RegExp(`^(${FOLDER}[^/]+)/rows\\.ndjson$`);
const UPLOAD_KEY = new RegExp(`^${FOLDER}${UPLOADS}/[^/]+$`);

/**
 * The folder of an import of a tenant. The folders of the default tenant are directly in that of all imports.
 * @throws HoldfastError `INTERNAL` where the tenant's name is malformed
 */
export const importFolder = (tenant: string, importId: string): string =>
  `${IMPORTS}/${pathOfTenant(tenant, importId)}`;
/** The folder of bodies that a tenant's callers are sending. */
export const uploadFolder = (tenant: string): string => importFolder(tenant, UPLOADS);

export const rowsKey = (folder: string): string => `${folder}/rows.ndjson`;
export const progressKey = (folder: string): string => `${folder}/progress.json`;
export const firstLookKey = (folder: string): string => `${folder}/first-look.json`;
/** The file that names the run of an import. */
export const runKey = (folder: string): string => `${folder}/run.json`;

/** The folder of the import whose rows a key names, of any tenant; undefined for any other key. */
export function parseRowsKey(key: string): string | undefined {
  return ROWS_KEY.exec(key)?.[1];
}

/** Whether a key names a body that a caller of any tenant was sending. */
export function isUploadKey(key: string): boolean {
  return UPLOAD_KEY.test(key);
}
