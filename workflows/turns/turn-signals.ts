import { defineSignal } from '@temporalio/workflow';

// Turns of an older and a newer build may wait for each other, so the signals keep their names and meanings.

/** Asks a turn to signal `turnDone` to a later turn, named by its workflow id, when it has ended. */
export const notifyWhenDone = defineSignal<[workflowId: string]>('tellWhenOver');

/** Reports that the turn of this workflow id has ended, and all turns before it. */
export const turnDone = defineSignal<[workflowId: string]>('turnOver');
