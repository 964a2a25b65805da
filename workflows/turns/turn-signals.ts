import { defineSignal } from '@temporalio/workflow';

// Turns of an older build and of a newer one may wait for each other, so these keep their names and meanings.

/** Asks a turn to tell the next one, by its workflow id, when it has ended. */
export const tellWhenOver = defineSignal<[workflowId: string]>('tellWhenOver');

/** Tells that the turn of this workflow id has ended, and all turns before it. */
export const turnOver = defineSignal<[workflowId: string]>('turnOver');
