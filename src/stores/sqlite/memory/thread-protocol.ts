import type { ErrorCode } from '../../../base/error-codes';
import { HoldfastError, isHoldfastError, messageOf } from '../../../base/errors';
import type { DroppedSpaces } from './dropped-spaces';
import type { MemorySearches } from './searches';
import type { WordIndex } from './word-index';

/** The methods of the thread: the long reads, and maintenance. */
export interface ThreadMethods extends Pick<
  MemorySearches,
  'list' | 'count' | 'searchText' | 'searchVectors' | 'stats' | 'listSessions' | 'listWithoutVector'
> {
  readonly removeSomeDropped: DroppedSpaces['removeSome'];
  readonly renewWords: WordIndex['renew'];
  /** Rewrites the file, without the traces of deleted data. */
  readonly rewrite: () => void;
  readonly emptyLog: () => void;
}

export type ThreadMethod = keyof ThreadMethods;

export interface ThreadData {
  readonly path: string;
  readonly busyTimeoutMs: number;
}

export interface ThreadRequest {
  readonly number: number;
  readonly method: ThreadMethod;
  readonly args: readonly unknown[];
}

/** The form in which an error is sent from one thread to another, which loses its class and code. */
export interface ThreadFailure {
  readonly message: string;
  readonly name: string;
  readonly stack: string | undefined;
  readonly holdfast:
    { readonly code: ErrorCode; readonly retryable: boolean; readonly cause: string } | undefined;
}

export type ThreadReply =
  | { readonly number: number; readonly value: unknown }
  | { readonly number: number; readonly failure: ThreadFailure };

export function toFailure(error: unknown): ThreadFailure {
  const { name, stack } = error instanceof Error ? error : new Error(messageOf(error));
  const holdfast = isHoldfastError(error)
    ? { code: error.code, retryable: error.retryable, cause: messageOf(error.cause) }
    : undefined;
  return { message: messageOf(error), name, stack, holdfast };
}

export function fromFailure({ message, name, stack, holdfast }: ThreadFailure): Error {
  if (holdfast !== undefined) {
    const { code, retryable, cause } = holdfast;
    return new HoldfastError(code, message, { retryable, cause: new Error(cause) });
  }
  const error = name === 'RangeError' ? new RangeError(message) : new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
