import { patched } from '@temporalio/workflow';

/**
 * Whether `null` in the place of a text stays `null`, which is refused. It became a text in what a run of an earlier build did
 * before a worker of this one continued it.
 */
export function keepsNull(): boolean {
  return patched('null-is-no-text');
}
