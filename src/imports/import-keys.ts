import type { RunOwner } from '../contracts/runs/run-owner';
import { pathOfTenant, TENANTS } from '../stores/tenants/tenant-names';

/** The folder of the imports of all tenants. */
export const IMPORTS = 'imports';
/** The name of the folder of bodies that are still being received. */
const UPLOADS = 'uploads';
/** The name of the folder that has a folder for each user with imports of memories. */
const USERS = 'users';

// No import has the id of one of these folders, because every id ends with random characters or with those of a digest.
const FOLDER = `${IMPORTS}/(?:${TENANTS}/[^/]+/)?(?:${USERS}/[^/]+/)?`;
const ROWS_KEY = new RegExp(`^(${FOLDER}[^/]+)/rows\\.ndjson$`);
const USER_FOLDER = new RegExp(`^${IMPORTS}/(?:${TENANTS}/[^/]+/)?${USERS}/[^/]+/[^/]+$`);
const UPLOAD_KEY = new RegExp(`^${FOLDER}${UPLOADS}/[^/]+$`);

/**
 * The folder of the imports of a tenant's records or, with a user, of that user's memories, which goes when the user is erased. The
 * folders of the default tenant are directly in that of all imports.
 * @throws HoldfastError `INTERNAL` if the tenant's name is malformed
 */
export function importsOf({ tenant, user }: RunOwner): string {
  const folder = pathOfTenant(tenant, user === undefined ? '' : `${USERS}/${user}`);
  return `${IMPORTS}/${folder}`.replace(/\/$/, '');
}

/** The folder of an import of an owner. @throws HoldfastError as `importsOf` */
export const importFolder = (owner: RunOwner, importId: string): string => `${importsOf(owner)}/${importId}`;
/** The folder of bodies that callers are sending. */
export const uploadFolder = (owner: RunOwner): string => importFolder(owner, UPLOADS);

export const rowsKey = (folder: string): string => `${folder}/rows.ndjson`;
export const progressKey = (folder: string): string => `${folder}/progress.json`;
export const firstLookKey = (folder: string): string => `${folder}/first-look.json`;
/** The file that names the run of an import. */
export const runKey = (folder: string): string => `${folder}/run.json`;

/** The folder of the import whose rows a key names, of any owner; undefined for any other key. */
export function parseRowsKey(key: string): string | undefined {
  return ROWS_KEY.exec(key)?.[1];
}

/** Whether a key names a body that a caller of any tenant was sending. */
export function isUploadKey(key: string): boolean {
  return UPLOAD_KEY.test(key);
}

/** Whether a folder is that of an import of a user's memories. */
export function isOfUser(folder: string): boolean {
  return USER_FOLDER.test(folder);
}
