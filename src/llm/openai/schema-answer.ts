import type { ChatResult } from '../../contracts/http/llm';
import type { AnswerSchema, SchemaChatRequest } from '../provider';
import type { ModelCall } from './model-call';
import { askForJson } from './structured';

/** Names the schema to the model. */
const NAME = 'answer';

/**
 * Asks for an answer that fits a schema of the caller, a second time where the first one does not fit.
 * @param signal ends the checks
 * @throws HoldfastError `MODEL_OUTPUT_INVALID`; the reason of the signal
 */
export async function askBySchema(
  call: ModelCall,
  { messages }: SchemaChatRequest,
  { document, findProblem }: AnswerSchema,
  signal: AbortSignal,
): Promise<ChatResult> {
  const { value } = await askForJson(call, messages, {
    name: NAME,
    schema: document,
    async check(found) {
      const problem = await findProblem(found, signal);
      return problem === undefined ? { value: found } : { problem };
    },
  });
  const { provider, model } = call;
  return {
    provider,
    model,
    content: JSON.stringify(value),
    value,
    finishReason: 'stop',
    usage: call.usage(),
  };
}
