import { CALLING } from './calling';
import { REFUSING } from './refusing';
import type { Row } from './row';
import { THINKING } from './thinking';

/** What model servers do, and what must come out. */
export const ROWS: readonly Row[] = [...REFUSING, ...CALLING, ...THINKING];
