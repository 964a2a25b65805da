import type { Approval } from '../../src/contracts/http/approvals';
import type { AnswerPiece } from './answer-text';
import type { HandedCall } from './caller-calls';
import { chatChunk, type ChatHead, chatUsage, finishReason, toToolCalls } from './chat-answer';
import { cutSentences } from './cut-text';
import { toOpenAiError, toRunFailure } from './errors';
import type { SentItem } from './server-sent';
import { type Answer, NO_ANSWER } from './turn';

export interface ChunkOptions {
  readonly head: ChatHead;
  /** Whether the last chunk has the usage. */
  readonly includeUsage: boolean;
  /** The answer, once the run has ended. */
  answer(): Answer;
  /** The call that the caller runs, if that is what the run waits for; else empty. */
  calls(approval: Approval): Promise<readonly HandedCall[]>;
  /** Says what the run waits for. */
  describe(approval: Approval): string;
}

/** What the last chunk follows. */
const DONE = '[DONE]';

/** Writes what a run says as the chunks of Chat Completions. */
export async function* chatChunks(
  pieces: AsyncIterable<AnswerPiece>,
  { head, includeUsage, answer, calls, describe }: ChunkOptions,
): AsyncGenerator<SentItem> {
  const usage = includeUsage ? null : undefined;
  const text = (content: string): SentItem => chatChunk(head, { delta: { content } }, usage);
  function* finish(last: Answer, reason = finishReason(last)): Generator<SentItem> {
    yield chatChunk(head, { finish_reason: reason }, usage);
    if (includeUsage) yield chatChunk(head, undefined, chatUsage(last));
    yield DONE;
  }
  yield chatChunk(head, { delta: { role: 'assistant', content: '' } }, usage);
  for await (const piece of pieces) {
    switch (piece.type) {
      case 'text':
        yield* cutSentences(piece.text).map(text);
        break;
      case 'restart':
        // What was sent cannot be taken back.
        yield text('\n\n');
        break;
      case 'silence':
        yield undefined;
        break;
      case 'waiting': {
        const handed = await calls(piece.approval);
        if (handed.length > 0) {
          yield chatChunk(head, { delta: { tool_calls: toToolCalls(handed) } }, usage);
          yield* finish(NO_ANSWER, 'tool_calls');
          return;
        }
        yield text(describe(piece.approval));
        yield* finish(NO_ANSWER);
        return;
      }
      case 'end': {
        if (piece.end.type === 'run.completed') yield* finish(answer());
        else {
          const { failure, status } = toRunFailure(piece.end.error);
          yield toOpenAiError(failure, status);
        }
        return;
      }
    }
  }
}
