import type { ChatRequest, ChatResult } from '../contracts/http/llm';
import { isHoldfastError } from '../base/errors';
import type { CallContext, LlmProvider } from './provider';

/** The bounds of a call, and what hears its text. */
export interface AloudContext extends CallContext {
  /** Called with all text so far, whenever some arrives. Absent: the text is asked for as a whole. */
  readonly onText?: ((soFar: string) => void) | undefined;
}

/**
 * Asks for text, and reports it while it is made. Where a connection breaks in the middle, the text is asked for once
 * more as a whole, in the time that is left.
 * @throws as `LlmProvider` does
 */
export async function chatAloud(
  provider: LlmProvider,
  request: ChatRequest,
  { onText, ...context }: AloudContext,
): Promise<ChatResult> {
  if (onText === undefined || provider.name === 'builtin') return provider.chat(request, context);
  const startedAt = performance.now();
  let text = '';
  try {
    for await (const event of provider.stream(request, context)) {
      if (event.type === 'end') return event.result;
      text += event.text;
      onText(text);
    }
  } catch (error) {
    const hasBegun = text !== '';
    if (!hasBegun || !isHoldfastError(error) || !error.retryable) throw error;
    const timeoutMs = Math.ceil(context.timeoutMs - (performance.now() - startedAt));
    if (timeoutMs <= 0) throw error;
    return provider.chat(request, { ...context, timeoutMs });
  }
  throw new Error('a stream of text ended without its last event');
}
