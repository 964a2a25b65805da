import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { CompletionUsage } from 'openai/resources/completions';
import type { StartedRun } from '../../temporal/runs/started-run';
import type { HandedCall } from './caller-calls';
import { type Answer, NO_ANSWER } from './turn';

/** What all parts of one answer have. */
export interface ChatHead {
  readonly id: string;
  /** Epoch seconds. */
  readonly created: number;
  readonly model: string;
}

/** @param now epoch milliseconds */
export function chatHead({ runId }: Pick<StartedRun, 'runId'>, model: string, now: number): ChatHead {
  return { id: `chatcmpl-${runId}`, created: Math.floor(now / 1_000), model };
}

/** The usage of an answer as Chat Completions has it. Pure. */
export function chatUsage({ usage }: Pick<Answer, 'usage'>): CompletionUsage {
  const { promptTokens, completionTokens } = usage;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}

/** Builds the response of a request that is not streamed. Pure. */
export function chatCompletion(head: ChatHead, answer: Omit<Answer, 'isByRules'>): ChatCompletion {
  return {
    ...head,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: answer.text, refusal: null },
        logprobs: null,
        finish_reason: finishReason(answer),
      },
    ],
    usage: chatUsage(answer),
  };
}

/** Builds the response that hands calls to the caller. Pure. */
export function chatCalls(head: ChatHead, calls: readonly HandedCall[]): ChatCompletion {
  const message = {
    role: 'assistant' as const,
    content: null,
    refusal: null,
    tool_calls: toToolCalls(calls),
  };
  const choice = { index: 0, message, logprobs: null, finish_reason: 'tool_calls' as const };
  return { ...head, object: 'chat.completion', choices: [choice], usage: chatUsage(NO_ANSWER) };
}

/** Calls as a message has them. Pure. */
export function toToolCalls(calls: readonly HandedCall[]) {
  return calls.map(({ callId, name, args }, index) => ({
    index,
    id: callId,
    type: 'function' as const,
    function: { name, arguments: args },
  }));
}

/** Builds a part of a response that is streamed. Pure. */
export function chatChunk(
  head: ChatHead,
  choice: Partial<Pick<ChatCompletionChunk.Choice, 'delta' | 'finish_reason'>> | undefined,
  usage?: CompletionUsage | null,
): ChatCompletionChunk {
  const choices =
    choice === undefined ? [] : [{ index: 0, delta: {}, logprobs: null, finish_reason: null, ...choice }];
  return { ...head, object: 'chat.completion.chunk', choices, usage };
}

export function finishReason({ isCut }: Pick<Answer, 'isCut'>): 'stop' | 'length' | 'tool_calls' {
  return isCut ? 'length' : 'stop';
}
