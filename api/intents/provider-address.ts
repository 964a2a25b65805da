import { isIP } from 'node:net';
import { findRefusal } from '../../src/egress/refusals';
import { validationError } from '../../src/base/errors';

const FIELD = 'llmConfig.localBaseUrl';

/**
 * Rejects an address that no connection would be made to. A host name is checked only when a connection is made.
 * @throws HoldfastError `VALIDATION`
 */
export function checkProviderAddress(
  address: string | undefined,
  { EGRESS_ALLOW_PRIVATE }: { readonly EGRESS_ALLOW_PRIVATE: boolean },
): void {
  if (address === undefined) return;
  const { hostname, username, password, search, hash } = new URL(address);
  if (username !== '' || password !== '' || search !== '' || hash !== '') {
    throw validationError(FIELD, 'must have neither user name nor password, query nor fragment');
  }
  const host = hostname.replace(/^\[|\]$/g, '');
  const refusal = isIP(host) ? findRefusal(host, host, EGRESS_ALLOW_PRIVATE) : undefined;
  if (refusal !== undefined) throw validationError(FIELD, refusal.message);
}
