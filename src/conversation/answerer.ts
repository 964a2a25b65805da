import type { AnswerRequest, Degradation, TurnAnswer } from '../contracts/conversations';
import type { ProviderName } from '../contracts/llm';
import { isHoldfastError } from '../errors';
import type { WhyRules } from '../../packages/plain-english/src/recall';
import type { CallContext, LlmProvider } from '../llm/provider';
import { stopwatch } from '../stopwatch';
import { answerByRules } from './answer-by-rules';
import { contextText } from './context-text';
import { promptOf } from './prompt';

export interface AnswererPorts {
  /** @throws HoldfastError `MODEL_NOT_CONFIGURED` */
  readonly provider: (name: ProviderName) => LlmProvider;
  /** The rules that answer where there is no model, or where it fails. */
  readonly builtin: LlmProvider;
  /** Whether any model is configured, so that nobody is told that there is none. */
  readonly hasModel: boolean;
}

/** Answers a turn of a conversation from what was recalled and what tools gave. */
export interface Answerer {
  /**
   * A model that fails is made good by rules, and the answer says so.
   * @throws the signal's reason; whatever is no failure of a model
   */
  answer(request: AnswerRequest, context: CallContext): Promise<TurnAnswer>;
  /**
   * Answers by rules where the model has had all its time, which the answer says.
   * @param context with the time that the model had
   * @throws as `answer` does
   */
  answerLate(request: AnswerRequest, context: CallContext): Promise<TurnAnswer>;
}

export function createAnswerer({ provider, builtin, hasModel }: AnswererPorts): Answerer {
  const notAsked = hasModel ? 'not-chosen' : 'not-configured';

  async function byRules(
    request: AnswerRequest,
    limit: CallContext,
    why: WhyRules,
    degraded: readonly Degradation[],
    elapsed: () => number,
  ): Promise<TurnAnswer> {
    const { text: context } = contextText(request.recalled);
    const answer = await answerByRules(request, builtin, why, limit);
    return { ...answer, context, time: elapsed(), degraded };
  }

  return {
    async answer(request, limit) {
      const elapsed = stopwatch();
      const { choice } = request;
      if (choice.provider === 'builtin') {
        return byRules(request, limit, request.modelFailed === true ? 'failed' : notAsked, [], elapsed);
      }
      const { text: context, included } = contextText(request.recalled);
      try {
        const messages = promptOf(request, context);
        const answer = await provider(choice.provider).chat({ ...choice, messages }, limit);
        const { content: text, usage, model } = answer;
        return {
          text,
          sources: included,
          context,
          provider: answer.provider,
          model,
          usage,
          time: elapsed(),
          degraded: [],
        };
      } catch (error) {
        limit.signal.throwIfAborted();
        if (!isHoldfastError(error)) throw error;
        return byRules(request, limit, 'failed', [modelDown(error.message)], elapsed);
      }
    },
    answerLate(request, limit) {
      const isModels = request.choice.provider !== 'builtin';
      const late = modelDown(`The model did not answer within ${limit.timeoutMs} ms`);
      return byRules(request, limit, isModels ? 'failed' : notAsked, isModels ? [late] : [], stopwatch());
    },
  };
}

export function modelDown(reason: string): Degradation {
  return { service: 'llm', reason, consequence: 'the built-in rules answered' };
}
