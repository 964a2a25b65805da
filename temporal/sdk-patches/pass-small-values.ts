import type { Payload } from '@temporalio/common';
import type { VisitOptions } from '@temporalio/common/lib/internal-non-workflow/payload-visitor';
import * as visitor from '@temporalio/common/lib/internal-non-workflow/payload-visitor';
import { isReferencePayload } from './stored-values';

/** The bytes that a message adds to a field at most, which are tags and lengths. */
const FIELD_BYTES = 32;

type Walk<Root, Context> = Parameters<typeof visitor.visit<Root, Context>>[1];

let smallestThreshold = Infinity;

/**
 * Makes the SDK look at the values of a message before it visits them. A visit makes an abort controller and
 * several promises for each value, and a run of one tool has twelve visits, while hardly any message has a value that a visit
 * changes. The SDK has no option for this, so this replaces its function.
 *
 * A process that calls this must have no payload codecs, because their visits are left out.
 * @param threshold the size from which values may be stored, bytes; with several calls the smallest counts
 */
export function passSmallValues(threshold: number): void {
  const isInstalled = smallestThreshold < Infinity;
  smallestThreshold = Math.min(smallestThreshold, threshold);
  if (isInstalled) return;
  const { visit } = visitor;
  const visitWhereNeeded = <Root, Context>(
    root: Root,
    walk: Walk<Root, Context>,
    options: VisitOptions<Context>,
  ): Promise<void> =>
    // Codecs alone skip headers.
    options.skipHeaders === true || !mayChange(root, walk, options)
      ? Promise.resolve()
      : visit(root, walk, options);
  Object.assign(visitor, { visit: visitWhereNeeded });
}

/** Stands for the promises of a walk that only looks. Nothing waits for it. */
const NO_PROMISE = { then: () => undefined } as unknown as Promise<never>;

/** Whether a message has a value that is a reference, or large enough to be stored. */
function mayChange<Root, Context>(
  root: Root,
  walk: Walk<Root, Context>,
  { initialContext, skipSearchAttributes = false }: VisitOptions<Context>,
): boolean {
  let may = false;
  const look = (payloads: readonly Payload[]): Promise<never> => {
    may ||= payloads.some((one) => maxBytes(one) >= smallestThreshold || isReferencePayload(one));
    return NO_PROMISE;
  };
  const env = {
    transformPayload: (payload: Payload) => look([payload]),
    transformPayloads: look,
    skipHeaders: false,
    skipSearchAttributes,
  };
  // Without `deriveContext` the walk passes the context on and never looks at it.
  void walk(root, env, initialContext as Context);
  return may;
}

/** The size that a value has in a message at most, bytes. Encoding it would give the exact size and cost more. */
function maxBytes({ metadata, data }: Payload): number {
  let bytes = (data?.length ?? 0) + FIELD_BYTES;
  // A character takes up to three bytes.
  for (const [key, value] of Object.entries(metadata ?? {}))
    bytes += key.length * 3 + value.length + FIELD_BYTES;
  return bytes;
}
