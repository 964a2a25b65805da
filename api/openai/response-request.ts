import { z } from 'zod';
import { validationError } from '../../src/base/errors';
import { jsonObjectSchema } from '../../src/contracts/http/text-schema';
import type { JsonSchema } from '../../src/contracts/http/tools';
import { parseInput } from '../http/input';
import { readFormat } from './chat-request';
import { type Message, messageSchema } from './conversation';
import { unsupported } from './errors';
import { namedIn, requestOf } from './parameters';

const MAX_METADATA = 16;
const formatSchema = z.looseObject({
  type: z.enum(['text', 'json_object', 'json_schema']),
  schema: jsonObjectSchema.optional(),
});

/** The parameters of Responses that have an effect. */
const schema = z.object({
  model: z.string(),
  input: z.union([z.string(), z.array(z.looseObject({})).min(1, 'must not be empty')]),
  instructions: z.string().optional(),
  previous_response_id: z.string().optional(),
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
  tool_choice: z.union([z.string(), z.looseObject({})]).optional(),
  user: z.string().optional(),
  safety_identifier: z.string().optional(),
});
export type ResponseRequest = Omit<z.output<typeof schema>, 'input'> & {
  readonly messages: readonly Message[];
  readonly responseSchema?: JsonSchema | undefined;
};

const CHECKED = ['tools', 'functions', 'conversation', 'prompt', 'top_logprobs'];
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
  const { messages, ignored } = readItems(input);
  return {
    request: {
      ...parsed,
      messages,
      responseSchema: readFormat(
        format && { type: format.type, json_schema: { schema: format.schema } },
        'text.format.schema',
      ),
    },
    // A run is always kept, also one that `store: false` asks not to keep.
    ignored: [...namedIn(given, KNOWN), ...ignored],
  };
}

function refuse(given: Readonly<Record<string, unknown>>): void {
  if (given['conversation'] !== undefined)
    throw unsupported('conversation', 'Conversations are not supported; name the previous_response_id');
  if (given['prompt'] !== undefined)
    throw unsupported('prompt', 'Stored prompts are not known; send instructions');
  if (given['top_logprobs'] !== undefined)
    throw unsupported('top_logprobs', 'Probabilities of tokens are not known');
  refuseTools(given);
}

/** Takes the messages out of the items of an input. What a model has reasoned before is left out. */
function readItems(input: z.output<typeof schema>['input']): {
  readonly messages: readonly Message[];
  readonly ignored: string[];
} {
  if (typeof input === 'string') return { messages: [{ role: 'user', content: input }], ignored: [] };
  const messages: Message[] = [];
  const ignored: string[] = [];
  for (const [at, item] of input.entries()) {
    const { type = 'message' } = item;
    const field = `input[${at}]`;
    if (type === 'message') messages.push(parseInput(messageSchema, item, field) as Message);
    else if (type === 'reasoning') ignored.push(field);
    else if (typeof type === 'string')
      throw unsupported(`${field}.type`, `Items of the type "${type}" are not supported`);
    else throw validationError(`${field}.type`, 'must be a string');
  }
  return { messages, ignored };
}

/** @throws HoldfastError `VALIDATION` for tools of the caller, whose calls are handed over by Chat Completions alone */
function refuseTools(given: Readonly<Record<string, unknown>>): void {
  const { tools, tool_choice: choice } = given;
  if (tools !== undefined && !(Array.isArray(tools) && tools.length === 0))
    throw unsupported(
      'tools',
      'Tools that the caller runs are supported by Chat Completions; those of the service run by themselves',
    );
  if (choice !== undefined && choice !== 'auto' && choice !== 'none')
    throw unsupported('tool_choice', 'No tool can be demanded, so it must be "auto" or "none"');
}
