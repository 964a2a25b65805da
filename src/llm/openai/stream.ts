import type { ChatRequest } from '../../contracts/http/llm';
import type { ChatEvent } from '../provider';
import { countUsage, type FinishReason, readPiece } from './answer';
import { createFunctionNames } from './function-names';
import { toMessages } from './messages';
import type { ModelCall } from './model-call';

/**
 * The answer as it arrives. Only its start is retried, because text that was passed on cannot be taken back. A stream
 * that ends without a finish reason was cut off, whatever the state of the connection.
 */
export async function* streamAnswer(call: ModelCall, request: ChatRequest): AsyncGenerator<ChatEvent> {
  const messages = toMessages(request.messages, createFunctionNames([]));
  const chunks = await call.askForStream(messages);
  const { provider, model, signal } = call;
  let content = '';
  let finishReason: FinishReason | undefined;
  let counted;
  try {
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      const piece = readPiece(chunk);
      if (piece === undefined) throw call.broken('a part of the answer cannot be read');
      finishReason = piece.finishReason ?? finishReason;
      counted = piece.usage ?? counted;
      if (piece.text === '') continue;
      content += piece.text;
      yield { type: 'token', text: piece.text };
    }
    // The client ends an aborted stream as if it were complete.
    signal.throwIfAborted();
  } catch (error) {
    throw call.toError(error);
  }
  const usage = counted ?? countUsage(messages, { content, calls: [] });
  if (finishReason === undefined) throw call.broken('the answer was cut off');
  if (finishReason === 'withheld') throw call.invalid('the provider withheld the answer', usage);
  yield { type: 'end', result: { provider, model, content, finishReason, usage } };
}
