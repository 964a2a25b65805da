import type { Caller } from '../../src/access/caller';
import type { KeyStore } from '../../src/access/key-store';
import { HoldfastError } from '../../src/base/errors';
import type { Maker } from '../../src/secrets/run-tokens';

/** Absent: keys are not accepted. */
type Keys = Pick<KeyStore, 'stampOf'> | undefined;

/** How a caller is authenticated. @throws HoldfastError `UNAUTHENTICATED` if its key was revoked meanwhile */
export async function makerOf({ keyId, id }: Caller, keys: Keys): Promise<Maker> {
  if (keyId === undefined) return { by: id === undefined ? 'none' : 'jwt' };
  const stamp = await keys?.stampOf(keyId);
  if (stamp === undefined) throw new HoldfastError('UNAUTHENTICATED', 'The key is not valid any more');
  return { by: 'key', key: keyId, stamp };
}

/** Whether the maker of a signed text may still do what the text says. @param authenticated whether callers are */
export async function isMakerValid(
  { by, key = '', stamp }: Maker,
  keys: Keys,
  authenticated: boolean,
): Promise<boolean> {
  if (by === 'none') return !authenticated;
  if (by === 'jwt') return authenticated;
  return stamp !== undefined && (await keys?.stampOf(key)) === stamp;
}
