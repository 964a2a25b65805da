import { isIP } from 'node:net';
import { toolError, type HoldfastError } from '../base/errors';
import { judgeAddress } from './addresses';

/**
 * Returns the error with which the policy refuses `address`; undefined if it allows a connection. For a name, the message has
 * the kind of address but not the address, because callers could otherwise query an internal name server through the service.
 */
export function findRefusal(host: string, address: string, allowPrivate: boolean): HoldfastError | undefined {
  const { reach, kind } = judgeAddress(address);
  if (reach === 'public' || (reach === 'private' && allowPrivate)) return undefined;
  const what = isIP(host) ? `${host} is a ${kind} address` : `${host} resolves to a ${kind} address`;
  const why =
    reach === 'private'
      ? 'this server is not set to allow requests to private and loopback addresses (EGRESS_ALLOW_PRIVATE)'
      : 'requests to such addresses are never allowed';
  return toolError(`Request refused: ${what}, and ${why}`);
}
