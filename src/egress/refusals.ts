import { isIP } from 'node:net';
import { toolError, type HoldfastError } from '../base/errors';
import { judgeAddress } from './addresses';

/**
 * The refusal of `address`, or undefined where it may be connected to. A name's refusal tells the kind of
 * address and not the address, or callers could read an internal name server through the service.
 */
export function refusalOf(host: string, address: string, allowPrivate: boolean): HoldfastError | undefined {
  const { reach, kind } = judgeAddress(address);
  if (reach === 'public' || (reach === 'private' && allowPrivate)) return undefined;
  const what = isIP(host) ? `${host} is a ${kind} address` : `${host} resolves to a ${kind} address`;
  const why =
    reach === 'private'
      ? 'this server is not set to allow requests to private and loopback addresses (EGRESS_ALLOW_PRIVATE)'
      : 'requests to such addresses are never allowed';
  return toolError(`Request refused: ${what}, and ${why}`);
}
