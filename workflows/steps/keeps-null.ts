import { patched } from '@temporalio/workflow';

/** Whether `null` in the place of a text stays `null`, which is refused. In runs of earlier builds it became a text. */
export function keepsNull(): boolean {
  return patched('null-is-no-text');
}
