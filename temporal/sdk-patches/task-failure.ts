import { coresdk } from '@temporalio/proto';

type Eviction = coresdk.workflow_activation.IRemoveFromCache;
const { EvictionReason } = coresdk.workflow_activation.RemoveFromCache;

/**
 * Begins the stack trace of an error that workflow code threw and that the same code repeats: it met an input or history of another
 * build, or the bundle has no workflow of this type. Errors of the process, such as those of a store of large values, may pass.
 */
const THROWN_IN_BUNDLE = /^[^"\\]*workflow-bundle\.js:\d+\\n/;
const REPEATED = /\\n(?:TypeError|ReferenceError): /;
/** The beginning of the failure's message in the text that the SDK's core makes of it, with line ends and quotes escaped. */
const MESSAGE = /message: "((?:[^"\\]|\\.){0,500})/;
const MAX_LENGTH = 500;
const TRACE_LENGTH = 2_000;

/**
 * Reads from the eviction of a run why this build cannot continue it.
 * @returns undefined where the run was evicted for another reason, or may be continued by another attempt
 */
export function readTaskFailure({ reason, message }: Eviction): string | undefined {
  const text = message ?? '';
  const isRepeated =
    reason === EvictionReason.NONDETERMINISM ||
    (reason === EvictionReason.LANG_FAIL && isRepeatedError(text));
  return isRepeated ? (MESSAGE.exec(text)?.[1] ?? text).slice(0, MAX_LENGTH) : undefined;
}

function isRepeatedError(text: string): boolean {
  const trace = text.split('stack_trace: "', 2)[1]?.slice(0, TRACE_LENGTH) ?? '';
  return THROWN_IN_BUNDLE.test(trace) && REPEATED.test(trace);
}
