import type { Recalled } from '../http/conversations';

/** It is apart from the schemas, because modules that a workflow imports are evaluated for every run. */
export const NOTHING_RECALLED: Recalled = { episodic: [], semantic: [], recent: [], degraded: [], time: 0 };
