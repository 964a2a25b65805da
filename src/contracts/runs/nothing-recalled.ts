import type { Recalled } from '../http/conversations';

/** Apart from the schemas: what a workflow imports is evaluated for every run. */
export const NOTHING_RECALLED: Recalled = { episodic: [], semantic: [], recent: [], degraded: [], time: 0 };
