import { oneAnIteration } from './one-an-iteration';

/** Parsing, writing or digesting this much text at once takes milliseconds of the event loop, bytes. */
export const LARGE_PIECE_BYTES = 262_144;

/**
 * Lets one piece of work on a large value begin in each iteration of the event loop of this process for all callers. Each
 * such piece takes up to a few hundred milliseconds, and many would otherwise follow each other without a pause.
 */
export const nextLargePiece = oneAnIteration();
