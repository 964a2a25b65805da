import type { ListPosition } from '../../stores/memory/search';
import type { RedrawPage } from './redraw';

/**
 * Draws the facts of the memories of a user anew that are later than an event, because a statement ends only what is known before it,
 * and the event was not known when they were stored. Throws as `RedrawPage`.
 */
export type RedrawLater = (userId: string, event: ListPosition) => Promise<void>;

/** Maximum number of pages that are read, and of milliseconds: a caller waits for them. Later memories stay as they were drawn. */
const MAX_PAGES = 10;
const LIMIT_MS = 1_000;

export function createRedrawLater(redrawPage: RedrawPage): RedrawLater {
  return async (userId, { timestamp, id }) => {
    let after: ListPosition | undefined = { timestamp, id };
    const limit = AbortSignal.timeout(LIMIT_MS);
    try {
      for (let page = 0; page < MAX_PAGES && after !== undefined; page += 1)
        after = (await redrawPage(userId, after, limit)).next;
    } catch (error) {
      if (error !== limit.reason) throw error;
    }
  };
}
