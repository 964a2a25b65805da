import { coresdk } from '@temporalio/proto';

type Eviction = coresdk.workflow_activation.IRemoveFromCache;
const { EvictionReason } = coresdk.workflow_activation.RemoveFromCache;

/**
 * Errors that the same code repeats: workflow code met an input or history of another build, or the bundle has no workflow of this
 * type. Any other error, such as that of a store of large values, may pass.
 */
const REPEATED = /r#type: "(?:TypeError|ReferenceError)"/;
/** The message of the failure in the text that the SDK's core makes of it. */
const MESSAGE = /message: "((?:[^"\\]|\\.)*)"/;
const MAX_LENGTH = 500;

/**
 * Reads from the eviction of a run why this build cannot continue it.
 * @returns undefined where the run was evicted for another reason, or may be continued by another attempt
 */
export function readTaskFailure({ reason, message }: Eviction): string | undefined {
  const text = message ?? '';
  const isRepeated =
    reason === EvictionReason.NONDETERMINISM || (reason === EvictionReason.LANG_FAIL && REPEATED.test(text));
  return isRepeated ? (MESSAGE.exec(text)?.[1] ?? text).slice(0, MAX_LENGTH) : undefined;
}
