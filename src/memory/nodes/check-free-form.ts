import { validationError } from '../../base/errors';
import { jsonLength } from '../../contracts/json-length';

/**
 * The maximum length of what callers keep with a memory besides its texts, characters of JSON. Lists, searches and pictures read
 * hundreds of whole memories into a process that others use too.
 */
const MAX_FREE_FORM = 65_536;

interface FreeForm {
  readonly context?: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * Checks the parts of a memory that have any form.
 * @param before those that it has; longer ones, which an earlier build stored, may stay and become shorter
 * @throws HoldfastError `VALIDATION` naming the longer part
 */
export function checkFreeForm({ context = {}, metadata }: FreeForm, before?: FreeForm): void {
  const length = jsonLength(context) + jsonLength(metadata);
  const allowed = before === undefined ? 0 : jsonLength(before.context ?? {}) + jsonLength(before.metadata);
  if (length <= Math.max(MAX_FREE_FORM, allowed)) return;
  const field = jsonLength(context) > jsonLength(metadata) ? 'context' : 'metadata';
  throw validationError(
    field,
    `is too long: context and metadata have ${length} characters of JSON, and ${MAX_FREE_FORM} are allowed`,
  );
}
