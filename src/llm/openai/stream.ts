import type { OnText } from '../provider';
import type { Answer, FinishReason, Piece } from './answer';
import { readPiece } from './answer';

/**
 * Reads an answer that arrives in pieces, and reports its text while it grows.
 * @returns undefined where the pieces ended without a finish reason: the answer was cut off, whatever the state of the
 * connection
 * @throws the signal's reason, the client's errors, and that of `unreadable` for a chunk that is no piece of an answer
 */
export async function readStream(
  chunks: AsyncIterable<unknown>,
  { signal, onText, unreadable }: { signal: AbortSignal; onText: OnText; unreadable: () => Error },
): Promise<Answer | undefined> {
  let content = '';
  let finishReason: FinishReason | undefined;
  let usage: Piece['usage'];
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    const piece = readPiece(chunk);
    if (piece === undefined) throw unreadable();
    finishReason = piece.finishReason ?? finishReason;
    usage = piece.usage ?? usage;
    if (piece.text === '') continue;
    content += piece.text;
    onText(content);
  }
  // The client ends an aborted stream as if it were complete.
  signal.throwIfAborted();
  return finishReason && { content, finishReason, calls: [], usage };
}
