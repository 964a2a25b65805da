import { createId } from './create-id.js';
import { HoldfastRunError } from './errors.js';
import { follow, streamOptions } from './follow.js';
import type { WaitOptions } from './run.js';
import type { AgentAnswer, ApiPaths, Operations } from './types.js';

type Body = ApiPaths['/api/agent/execute']['post']['requestBody']['content']['application/json'];
type Options = NonNullable<Body['options']>;

/** A message to the agent, with its options. Without a user it is from the client's. */
export type AgentRequest = Omit<Body, 'options'> & {
  readonly options: Omit<Options, 'userId'> & Partial<Pick<Options, 'userId'>>;
};

export type ChatPart =
  /** What was said since the part before. With `restarts`, it takes the place of all parts before. */
  | { readonly type: 'text'; readonly text: string; readonly restarts: boolean }
  /** The last part. */
  | { readonly type: 'answer'; readonly answer: AgentAnswer };

export interface AgentCalls {
  /**
   * Sends a message and yields the text of the answer while a model says it, then the answer. The texts together are
   * `answer.response`. A connection that is cut is opened again.
   * @throws HoldfastApiError if the service refuses; HoldfastRunError if the turn fails
   */
  chat(request: AgentRequest, options?: WaitOptions): AsyncGenerator<ChatPart, void>;
}

/** @param userId the user of messages that name none */
export function createAgentCalls(operations: Operations<ApiPaths>, userId: string | undefined): AgentCalls {
  return {
    async *chat(request, { signal } = {}) {
      const options = { userId, ...request.options } as Options;
      const body: Body = { ...request, options };
      const key = createId();
      // A request with the same key follows the same turn.
      const events = follow(
        (after) =>
          operations.POST('/api/agent/execute', {
            body,
            params: { header: { 'Idempotency-Key': key } },
            ...streamOptions(after, signal),
          }),
        signal,
      );
      let saidText = '';
      for await (const event of events) {
        if (event.type === 'message.delta') {
          const { offset = 0, text = '' } = event;
          // Signs of life may be missed, and a new attempt begins at 0. The rest comes with the answer then.
          if (offset !== 0 && offset !== saidText.length) continue;
          const restarts = offset === 0 && saidText !== '';
          saidText = offset === 0 ? text : saidText + text;
          yield { type: 'text', text, restarts };
        } else if (event.type === 'run.completed') {
          const answer = event.result as AgentAnswer;
          const whole = answer.response;
          const continues = whole.startsWith(saidText);
          if (!continues || whole.length > saidText.length)
            yield {
              type: 'text',
              text: continues ? whole.slice(saidText.length) : whole,
              restarts: !continues,
            };
          yield { type: 'answer', answer };
        } else if ('error' in event && event.type !== 'step.failed') {
          throw new HoldfastRunError(event.runId, event.type.replace('run.', ''), event.error);
        }
      }
    },
  };
}
