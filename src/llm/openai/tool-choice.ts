import type OpenAI from 'openai';
import type { ToolChoiceRequest, ToolChoiceResult } from '../../contracts/http/llm';
import { asObjectSchema } from '../../contracts/tool-schemas';
import type { ToolChoiceContext } from '../provider';
import type { Answer } from './answer';
import { createFunctionNames, type FunctionNames } from './function-names';
import { toMessages } from './messages';
import type { ModelCall } from './model-call';
import { type ReadCalls, readCalls, withObjections } from './tool-calls';

/** Asks which tools to call next, a second time where a call of the first answer is invalid. */
export async function askForTools(
  call: ModelCall,
  request: ToolChoiceRequest,
  context: ToolChoiceContext,
): Promise<ToolChoiceResult> {
  const names = createFunctionNames(request.tools.map(({ name }) => name));
  const messages = toMessages(request.messages, names);
  const offer = buildOffer(request, names);

  const first = await call.ask(messages, offer);
  const read = await readCalls(first, request, names, context);
  if (read.problem === undefined) return toResult(call, first, read);

  const second = await call.ask(withObjections(messages, first, read), offer);
  const readAgain = await readCalls(second, request, names, context);
  if (readAgain.problem === undefined) return toResult(call, second, readAgain);
  throw call.invalid(readAgain.problem);
}

/** Builds the part of a request that offers the tools; empty without tools, because OpenAI refuses an empty list. */
function buildOffer({ tools, choice }: ToolChoiceRequest, names: FunctionNames) {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, inputSchema }): OpenAI.ChatCompletionTool => ({
      type: 'function',
      function: {
        name: names.functionOf(name),
        description,
        parameters: asObjectSchema(inputSchema),
      },
    })),
    tool_choice: choice,
  };
}

function toResult(call: ModelCall, answer: Answer, { calls }: ReadCalls): ToolChoiceResult {
  return {
    content: answer.content,
    requests: calls.map(({ request }) => request),
    ...(answer.thoughts === undefined ? {} : { thoughts: answer.thoughts }),
    ...(answer.finishReason === 'length' ? { finishReason: 'length' } : {}),
    provider: call.provider,
    model: call.model,
    usage: call.usage(),
  };
}
