import { validationError } from '../../src/base/errors';
import { computeDigest } from '../../src/base/ids';

const CHECK_BYTES = 8;

/**
 * Makes a cursor of the server's token for the next page. The cursor has a digest of the token and the filter, because
 * the server answers a token that it has not made as if it were out of order.
 */
export function encodeToken(token: Uint8Array, filter: object): string {
  return Buffer.concat([checkOf(token, filter), token]).toString('base64url');
}

/** @throws HoldfastError `VALIDATION` for a text that is not the cursor of a page with this filter */
export function decodeToken(cursor: string, filter: object): Uint8Array {
  const bytes = Buffer.from(cursor, 'base64url');
  const token = bytes.subarray(CHECK_BYTES);
  if (token.length === 0 || !checkOf(token, filter).equals(bytes.subarray(0, CHECK_BYTES)))
    throw validationError('cursor', 'cursor is not one of a page with these filters');
  return token;
}

function checkOf(token: Uint8Array, filter: object): Buffer {
  const digest = computeDigest([filter, Buffer.from(token).toString('base64url')]);
  return Buffer.from(digest, 'hex').subarray(0, CHECK_BYTES);
}
