import { isHoldfastError, messageOf, validationError } from '../base/errors';
import { outgoingHeaders } from '../egress/headers';
import { parseHttpUrl } from '../egress/hops';

/** Headers that the protocol sets. */
const PROTOCOL_HEADERS = /^(accept|content-type|last-event-id|mcp-.*)$/i;

/** @returns the address in its normal form @throws HoldfastError `VALIDATION` */
export function checkUrl(url: string): string {
  return asValidation('url', () => parseHttpUrl(url).href);
}

/** @throws HoldfastError `VALIDATION` where a header cannot be sent, or is set by the protocol */
export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  asValidation('headers', () => outgoingHeaders(headers, ''));
  const reserved = Object.keys(headers).find((name) => PROTOCOL_HEADERS.test(name));
  if (reserved !== undefined) throw validationError(`headers.${reserved}`, 'is set by the protocol');
}

function asValidation<T>(field: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    throw validationError(field, messageOf(error).replace(/^Request refused: /, ''));
  }
}
