import { useAsked } from '../../api/ask';
import { client, dataOf } from '../../api/client';
import { mayAsk } from '../../session';

const COUNT_MS = 5_000;
/** Of more, the number says that there are at least as many. */
const MAX_COUNT = 100;

/** The number of approvals that wait for a person, also while the page is hidden, since the title of its tab has it. */
export function useOpenCount(): number {
  const { data } = useAsked(
    mayAsk.value ? 'open approvals' : undefined,
    (signal) =>
      dataOf(
        client.value.GET('/api/approvals', {
          params: { query: { status: 'pending', limit: MAX_COUNT } },
          signal,
        }),
      ),
    { everyMs: COUNT_MS, whileHidden: true },
  );
  return data?.approvals.length ?? 0;
}
