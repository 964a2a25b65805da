import type { AnswerRequest, Degradation, TurnAnswer } from '../contracts/conversations';
import type { ProviderName } from '../contracts/llm';
import { isHoldfastError } from '../errors';
import type { WhyRules } from '../llm/builtin/recalled';
import type { CallContext, LlmProvider } from '../llm/provider';
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
}

export function createAnswerer({ provider, builtin, hasModel }: AnswererPorts): Answerer {
  return {
    async answer(request, limit) {
      const started = performance.now();
      const elapsed = (): number => Math.round((performance.now() - started) * 1_000) / 1_000;
      const { text: context, included } = contextText(request.recalled);
      const { choice } = request;
      const byRules = async (why: WhyRules, degraded: readonly Degradation[]): Promise<TurnAnswer> => ({
        ...(await answerByRules(request, builtin, why, limit)),
        context,
        time: elapsed(),
        degraded,
      });
      if (choice.provider === 'builtin') {
        return byRules(
          request.modelFailed === true ? 'failed' : hasModel ? 'not-chosen' : 'not-configured',
          [],
        );
      }
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
        return byRules(hasModel ? 'failed' : 'not-configured', [modelDown(error.message)]);
      }
    },
  };
}

export function modelDown(reason: string): Degradation {
  return { service: 'llm', reason, consequence: 'the built-in rules answered' };
}
