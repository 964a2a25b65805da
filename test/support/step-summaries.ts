import type { Client } from '@temporalio/client';
import type { Answer } from './http';

/** The summaries of all activities of the run of an answer, local and regular, in order. */
export async function summariesOfSteps(client: Client, { headers }: Answer): Promise<string[]> {
  const { events } = await client.workflow.getHandle(headers.get('x-workflow-id') ?? '').fetchHistory();
  return (events ?? []).flatMap((event) => {
    const isStep = event.markerRecordedEventAttributes ?? event.activityTaskScheduledEventAttributes;
    if (!isStep) return [];
    const { data } = event.userMetadata?.summary ?? {};
    return [JSON.parse(Buffer.from(data ?? []).toString() || '""') as string];
  });
}
