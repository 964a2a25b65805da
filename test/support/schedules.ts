import type { Service } from './service';

/**
 * Deletes every schedule of a service. A suite calls it before it stops the service: the Temporal server is shared, so
 * a schedule whose time comes later in the test run would start a run that no worker takes.
 */
export async function deleteSchedules({ get, send }: Pick<Service, 'get' | 'send'>): Promise<void> {
  const { body } = await get('/api/schedules');
  for (const { id } of body.data.schedules as { id: string }[])
    await send('DELETE', `/api/schedules/${encodeURIComponent(id)}`);
}
