import type { Response } from 'openai/resources/responses/responses';
import { z } from 'zod';
import { validationError } from '../../src/base/errors';
import { jsonObjectSchema } from '../../src/contracts/http/text-schema';
import type { JsonSchema } from '../../src/contracts/http/tools';
import { parseInput } from '../http/input';
import type { GivenAnswer } from './given-answers';
import { type CallerTools, readCallerTools } from './caller-tools';
import { readFormat } from './chat-request';
import { type Message, messageSchema } from './conversation';
import { unsupported } from './errors';
import { namedIn, requestOf } from './parameters';

const MAX_METADATA = 16;
const formatSchema = z.looseObject({
  type: z.enum(['text', 'json_object', 'json_schema']),
  schema: jsonObjectSchema.optional(),
});

const outputSchema = z.looseObject({ call_id: z.string(), output: z.string() });
const approvalSchema = z.looseObject({
  approval_request_id: z.string(),
  approve: z.boolean(),
  reason: z.string().nullish(),
});

/** The parameters of Responses that have an effect. */
const schema = z.object({
  model: z.string(),
  input: z.union([z.string(), z.array(z.looseObject({})).min(1, 'must not be empty')]),
  instructions: z.string().optional(),
  previous_response_id: z.string().optional(),
  conversation: z.union([z.string().transform((id) => ({ id })), z.object({ id: z.string() })]).optional(),
  stream: z.boolean().default(false),
  background: z.boolean().default(false),
  metadata: z
    .record(z.string().max(64), z.string().max(512))
    .refine(
      (metadata) => Object.keys(metadata).length <= MAX_METADATA,
      `must have at most ${MAX_METADATA} entries`,
    )
    .optional(),
  max_output_tokens: z.number().optional(),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().optional(),
  text: z.looseObject({ format: formatSchema.optional() }).optional(),
  user: z.string().optional(),
  safety_identifier: z.string().optional(),
});
/** The parameters that have no effect beside an answer: those of the request that has started the run stay. */
const OF_NEW_TURNS: ReadonlySet<string> = new Set([
  'conversation',
  'instructions',
  'max_output_tokens',
  'metadata',
  'temperature',
  'text',
  'tool_choice',
  'tools',
  'top_p',
]);
export type ResponseRequest = Omit<z.output<typeof schema>, 'input'> & {
  readonly messages: readonly Message[];
  /** What it says to what was handed over; empty for a new turn. */
  readonly answers: readonly GivenAnswer[];
  readonly responseSchema?: JsonSchema | undefined;
  /** As it was sent. */
  readonly tool_choice: Response['tool_choice'];
} & CallerTools;

/** Items that a run knows. */
const KNOWN_ITEMS: ReadonlySet<string> = new Set(['reasoning', 'function_call', 'mcp_approval_request']);

/** Items that say something to what was handed over. */
const ANSWER_ITEMS: ReadonlySet<string> = new Set(['function_call_output', 'mcp_approval_response']);

const CHECKED = ['tools', 'tool_choice', 'prompt', 'top_logprobs'];
const KNOWN: ReadonlySet<string> = new Set([...Object.keys(schema.shape), ...CHECKED]);

/** The protocol's names of the fields of a turn. */
export const RESPONSE_PARAMS = {
  query: 'input',
  'options.userId': 'user',
  'options.sessionId': 'X-Session-Id',
  'options.instructions': 'instructions',
  'options.attachments': 'input',
  'options.earlier': 'input',
  'options.maxTokens': 'max_output_tokens',
  'options.temperature': 'temperature',
  'options.topP': 'top_p',
  'options.responseSchema': 'text.format',
  'options.callerTools': 'tools',
  mustCall: 'tool_choice',
} as const;

/**
 * Reads the body of a request.
 * @returns also the parameters that have no effect here
 * @throws HoldfastError `VALIDATION` for what is not valid, and for what cannot be done
 */
export function readResponseRequest(body: unknown): {
  readonly request: ResponseRequest;
  readonly ignored: string[];
} {
  const given = requestOf(body);
  refuse(given);
  const { input, ...parsed } = parseInput(schema, given, 'body') as z.output<typeof schema>;
  const format = parsed.text?.format;
  const { messages, answers, ignored } = readItems(input);
  const withoutEffect =
    answers.length === 0 ? [] : Object.keys(given).filter((name) => OF_NEW_TURNS.has(name));
  return {
    request: {
      ...parsed,
      ...readCallerTools(given),
      messages,
      answers,
      tool_choice: (given['tool_choice'] ?? 'auto') as Response['tool_choice'],
      responseSchema: readFormat(
        format && { type: format.type, json_schema: { schema: format.schema } },
        'text.format.schema',
      ),
    },
    // A run is always kept, also one that `store: false` asks not to keep.
    ignored: [...namedIn(given, KNOWN), ...withoutEffect, ...ignored],
  };
}

function refuse(given: Readonly<Record<string, unknown>>): void {
  if (given['conversation'] !== undefined && given['previous_response_id'] !== undefined)
    throw validationError('conversation', 'cannot stand beside previous_response_id');
  if (given['prompt'] !== undefined)
    throw unsupported('prompt', 'Stored prompts are not known; send instructions');
  if (given['top_logprobs'] !== undefined)
    throw unsupported('top_logprobs', 'Probabilities of tokens are not known');
}

/** Takes the messages out of the items of an input. What a model has reasoned before is left out. */
function readItems(input: z.output<typeof schema>['input']): {
  readonly messages: readonly Message[];
  readonly answers: readonly GivenAnswer[];
  readonly ignored: string[];
} {
  if (typeof input === 'string')
    return { messages: [{ role: 'user', content: input }], answers: [], ignored: [] };
  const messages: Message[] = [];
  const answers: GivenAnswer[] = [];
  const ignored: string[] = [];
  // A message behind an answer is a new turn, so that the answer is history, whose run has it.
  const lastMessage = input.findLastIndex(({ type = 'message' }) => type === 'message');
  for (const [at, item] of input.entries()) {
    const { type = 'message' } = item;
    const field = `input[${at}]`;
    if (type === 'message') messages.push(parseInput(messageSchema, item, field) as Message);
    else if (ANSWER_ITEMS.has(String(type)) && at < lastMessage) ignored.push(field);
    else if (type === 'function_call_output') answers.push(readOutput(item, field));
    else if (type === 'mcp_approval_response') answers.push(readApproval(item, field));
    // A question has its answer behind it, and the run knows both.
    else if (KNOWN_ITEMS.has(String(type))) ignored.push(field);
    else if (typeof type === 'string')
      throw unsupported(`${field}.type`, `Items of the type "${type}" are not supported`);
    else throw validationError(`${field}.type`, 'must be a string');
  }
  return { messages, answers, ignored };
}

function readOutput(item: unknown, field: string): GivenAnswer {
  const { call_id: id, output } = parseInput(outputSchema, item, field) as z.output<typeof outputSchema>;
  return { id, output, field: `${field}.call_id` };
}

function readApproval(item: unknown, field: string): GivenAnswer {
  const {
    approval_request_id: id,
    approve,
    reason,
  } = parseInput(approvalSchema, item, field) as z.output<typeof approvalSchema>;
  return { id, approve, reason: reason ?? undefined, field: `${field}.approval_request_id` };
}
