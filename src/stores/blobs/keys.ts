import { HoldfastError } from '../../base/errors';

/** The names of a key. `.` and `..` are not allowed, because they would lead out of the store. */
const NAME = /^(?!\.{1,2}$)[A-Za-z0-9._:-]+$/;

/**
 * Returns a key or folder unchanged, after a check.
 * @throws HoldfastError `INTERNAL` if it is malformed
 */
export function checkBlobKey(key: string): string {
  if (key.split('/').every((name) => NAME.test(name))) return key;
  throw new HoldfastError('INTERNAL', 'The key of a stored value is malformed');
}

/** The folder of a blob. */
export function folderOf(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf('/')));
}
