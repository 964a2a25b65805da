import type { Service } from './service';
import { startService } from './service';

/** A service whose memory chat is ready to be used. */
export async function initializedMemoryChat(env: Readonly<Record<string, string>> = {}): Promise<Service> {
  return startService(env);
}
