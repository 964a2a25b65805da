import { useRead } from '../../api/ask';
import { may } from '../../session';

const COUNT_MS = 5_000;
/** Of more, the number says that there are at least as many. */
const MAX_COUNT = 100;

/** The number of approvals that wait for a person, also while the page is hidden, since the title of its tab has it. */
export function useOpenCount(): number {
  const { data } = useRead(
    '/api/approvals',
    may('read') ? { query: { status: 'pending', limit: MAX_COUNT } } : undefined,
    { everyMs: COUNT_MS, whileHidden: true },
  );
  return data?.approvals.length ?? 0;
}
