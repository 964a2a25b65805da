import { Context } from '@temporalio/activity';
import { Semaphore, takePlace } from '../src/base/async/semaphore';
import type { Activities } from './queue-activities';

/** How many steps wait within a worker, where they send heartbeats. Steps at the server look as if no worker were there. */
export const WAITING_STEPS = 200;

/** Lets a number of steps work at once; further ones that the worker has taken wait in their order. */
export function withPlaces(activities: Partial<Activities>, atOnce: number): Partial<Activities> {
  const places = new Semaphore(atOnce);
  const inPlace = (activity: (...args: unknown[]) => unknown) =>
    async function (...args: unknown[]): Promise<unknown> {
      const leave = await takePlace(places, Context.current().cancellationSignal);
      try {
        return await activity(...args);
      } finally {
        leave();
      }
    };
  return Object.fromEntries(
    Object.entries(activities).map(([name, activity]) => [
      name,
      inPlace(activity as (...args: unknown[]) => unknown),
    ]),
  );
}
