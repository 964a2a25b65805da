import { patched } from '@temporalio/workflow';

/**
 * Whether every template and every escape in a condition is read. Earlier builds knew references alone, in fewer forms, so
 * a run that repeats what it did with one of them leaves the others as they are written.
 */
export function readsAllTemplates(): boolean {
  return patched('defaults-and-functions');
}
