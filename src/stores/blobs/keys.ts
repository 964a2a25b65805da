import { HoldfastError } from '../../base/errors';

/** Neither `.` nor `..`, which would lead out of the store. */
const NAME = /^(?!\.{1,2}$)[A-Za-z0-9._:-]+$/;

/**
 * A key or folder, as it is.
 * @throws HoldfastError `INTERNAL`
 */
export function soundKey(key: string): string {
  if (key.split('/').every((name) => NAME.test(name))) return key;
  throw new HoldfastError('INTERNAL', 'The key of a stored value is malformed');
}

/** The folder that a blob is in. */
export function folderOf(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf('/')));
}
