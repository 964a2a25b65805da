import type { ToolChoiceRequest, ToolChoiceResult } from '../../contracts/http/llm';
import type { ToolChoiceContext } from '../provider';
import { schemaForModels } from '../schema-for-models';
import type { Answer } from './answer';
import { createFunctionNames, type FunctionNames } from './function-names';
import { readLeadingJson } from './json-in-text';
import { type Message, toMessages } from './messages';
import type { Asked, ModelCall } from './model-call';
import type { OfferedFunction } from './request-body';
import { type ReadCalls, readCalls, withObjections } from './tool-calls';
import { withoutFences } from './text-calls';
import { showsDroppedTools } from './usage';

/** How much more room than usual an answer has that was cut off before it had called or said anything. */
const MORE_ROOM = 4;
/** How an answer begins that is meant for the user, and not a call that a model has written as text. */
const IN_WORDS = /^[\p{L}\p{N}]/u;

/** Asks which tools to call next, a second time if a call of the first answer is invalid. */
export async function askForTools(
  call: ModelCall,
  request: ToolChoiceRequest,
  { check, signal }: Pick<ToolChoiceContext, 'check' | 'signal'>,
): Promise<ToolChoiceResult> {
  const names = createFunctionNames(request.tools.map(({ name }) => name));
  const messages = toMessages(request.messages, names);
  const { offer, json } = buildOffer(call, request, names);
  const read = (answer: Answer): Promise<ReadCalls> => readCalls(answer, request, { names, check, signal });

  /** Asks again without an objection if the answer is of no use because of how it was asked for. */
  async function ask(conversation: readonly Message[]): Promise<ReadCalls> {
    const question = { messages: conversation, offer, json };
    const way = call.wayOf(question);
    const answer = await askInRoom(call, request, question);
    const outcome = await read(answer);
    if (outcome.calls.length > 0 || outcome.problem !== undefined) {
      // A server that has the format answers with JSON, unless the answer is cut off.
      if (way === 'json' && answer.finishReason === 'stop' && !isJson(answer)) call.learn('ignores_format');
      return outcome;
    }
    if (call.wayOf(question) !== 'tools' || !showsDroppedTools(answer.usage, messages, offer.functions))
      return outcome;
    call.learn('tools');
    return read(await askInRoom(call, request, question));
  }

  const first = await ask(messages);
  if (first.problem === undefined) return toResult(call, first);
  const second = await ask(withObjections(messages, first));
  if (second.problem === undefined) return toResult(call, second);
  throw call.invalid(second.problem);
}

/**
 * Asks within the usual room, and once more in a larger one if an answer was cut off in its thoughts or in its words:
 * a model that reasons may use up the usual room before it says anything.
 */
async function askInRoom(call: ModelCall, request: ToolChoiceRequest, question: Asked): Promise<Answer> {
  const { usualTokens, maxTokens = Infinity, topP, tools } = request;
  // Arguments are to be exact. Both settings of sampling at once are refused by some models.
  const usual = tools.length > 0 && topP === undefined ? 0 : undefined;
  const ask = (room: number): Promise<Answer> =>
    call.ask({
      ...question,
      settings: {
        topP,
        temperature: request.temperature ?? usual,
        maxTokens: room === Infinity ? undefined : room,
      },
    });
  if (usualTokens === undefined) return ask(maxTokens);
  const more = Math.min(maxTokens, usualTokens * MORE_ROOM);
  const room = call.knows('thinks_long') ? more : Math.min(maxTokens, usualTokens);
  const answer = await ask(room);
  if (answer.finishReason !== 'length' || room === more || answer.calls.length > 0) return answer;
  const text = answer.content.trim();
  if (text === '') call.learn('thinks_long');
  return text === '' || (request.choice === 'auto' && IN_WORDS.test(text)) ? ask(more) : answer;
}

function isJson({ content }: Answer): boolean {
  return readLeadingJson(withoutFences(content)) !== undefined;
}

/**
 * Builds the part of a request that offers the tools; without functions nothing is offered, because OpenAI refuses an empty
 * list. The arguments of the one tool of a local model are asked for as JSON, which its server makes certain by a grammar,
 * while a required call has no end at some servers.
 */
function buildOffer(call: ModelCall, { tools, choice }: ToolChoiceRequest, names: FunctionNames) {
  const functions = tools.map((tool): OfferedFunction => ({
    name: names.functionOf(tool.name),
    description: tool.description,
    parameters: schemaForModels(tool),
  }));
  const offer = { functions, choice };
  const [only, ...others] = functions;
  if (call.provider !== 'local' || choice !== 'required' || only === undefined || others.length > 0)
    return { offer };
  const instruction = `Answer with the arguments of one call of this function, as JSON alone:\n${JSON.stringify(only)}`;
  return { offer, json: { name: 'arguments', schema: only.parameters, instruction } };
}

function toResult(call: ModelCall, { answer, calls }: ReadCalls): ToolChoiceResult {
  return {
    content: answer.content,
    requests: calls.map(({ request }) => request),
    thoughts: answer.thoughts,
    extra: answer.extra,
    finishReason: answer.finishReason === 'length' ? 'length' : undefined,
    provider: call.provider,
    model: call.model,
    usage: call.usage(),
  };
}
