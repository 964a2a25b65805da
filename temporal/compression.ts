import type { NativeConnectionOptions } from '@temporalio/worker';
import { LOOPBACK } from '../src/base/loopback';

/**
 * The SDK compresses requests by default. On a connection within this machine that costs both ends work and saves
 * nothing, so it is off there.
 */
export function compressionFor({
  address = '',
}: Pick<NativeConnectionOptions, 'address'>): Pick<NativeConnectionOptions, 'grpcCompression'> {
  const host = address.replace(/:\d+$/, '');
  return LOOPBACK.test(host) ? { grpcCompression: { codec: 'none' } } : {};
}
