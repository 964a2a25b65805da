import { toWellFormed } from '../../base/text/well-formed';
import type { OnText } from '../provider';
import { type Answer, type FinishReason, type Piece, readPiece } from './answer';

export interface StreamedText {
  /** All text that arrived. */
  readonly content: string;
  /** Absent where the stream broke off: it failed, or says so, a chunk was no piece of an answer, or no finish reason came. */
  readonly answer?: Answer;
}

/** A report may read the whole text, so a long one is reported only when it has grown by this share of itself. */
const REPORTED_GROWTH = 1 / 256;

/** Reads an answer that arrives in pieces, and reports its text while it grows. */
export async function readStream(chunks: AsyncIterable<unknown>, onText: OnText): Promise<StreamedText> {
  let content = '';
  let reportedLength = 0;
  let finishReason: FinishReason | undefined;
  let usage: Piece['usage'];
  try {
    for await (const chunk of chunks) {
      const piece = readPiece(chunk);
      if (piece === undefined) break;
      finishReason = piece.finishReason ?? finishReason;
      usage = piece.usage ?? usage;
      if (piece.text === '') continue;
      content += piece.text;
      if (content.length - reportedLength < content.length * REPORTED_GROWTH) continue;
      reportedLength = content.length;
      onText(content);
    }
  } catch {
    // The connection failed, or the server sent an error instead of a piece.
  }
  // Some servers divide a surrogate pair between two pieces, so only the whole tells which surrogates are alone.
  content = toWellFormed(content);
  // With a finish reason all text has come, even where the rest of the stream is missing.
  return finishReason === undefined || finishReason === 'failed'
    ? { content }
    : { content, answer: { content, finishReason, calls: [], usage } };
}
