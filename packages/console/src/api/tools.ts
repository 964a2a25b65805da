import { type Asked, useAsked } from './ask';
import { client, dataOf, type Schemas } from './client';

export type Tool = Schemas['Tool'];

/** The tools of the service. */
export function useTools(): Asked<readonly Tool[]> {
  return useAsked('tools', (signal) => dataOf(client.value.GET('/api/tools', { signal })));
}
