import { z } from 'zod';
import { validationError } from '../../src/base/errors';
import type { JsonSchema } from '../../src/contracts/http/tools';
import { jsonObjectSchema } from '../../src/contracts/http/text-schema';
import { parseInput } from '../http/input';
import { type CallerTools, readCallerTools } from './caller-tools';
import { messageSchema } from './conversation';
import { unsupported } from './errors';
import { namedIn, requestOf } from './parameters';

/** The parameters of Chat Completions that have an effect. */
const schema = z.object({
  model: z.string(),
  messages: z.array(messageSchema).min(1, 'must not be empty'),
  stream: z.boolean().default(false),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).optional(),
  max_tokens: z.number().optional(),
  max_completion_tokens: z.number().optional(),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().optional(),
  response_format: z
    .looseObject({
      type: z.enum(['text', 'json_object', 'json_schema']),
      json_schema: z.looseObject({ schema: jsonObjectSchema.optional() }).optional(),
    })
    .optional(),
  user: z.string().optional(),
  safety_identifier: z.string().optional(),
});
export type ChatRequest = z.output<typeof schema> &
  CallerTools & { readonly responseSchema?: JsonSchema | undefined };

/** Those that are checked, so that they are refused or ask for nothing. */
const CHECKED = ['n', 'logprobs', 'top_logprobs', 'audio', 'modalities', 'tools', 'tool_choice'];
const KNOWN: ReadonlySet<string> = new Set([...Object.keys(schema.shape), ...CHECKED]);

/** The protocol's names of the fields of a turn. */
export const CHAT_PARAMS = {
  query: 'messages',
  'options.userId': 'user',
  'options.sessionId': 'X-Session-Id',
  'options.instructions': 'messages',
  'options.attachments': 'messages',
  'options.earlier': 'messages',
  'options.maxTokens': 'max_completion_tokens',
  'options.temperature': 'temperature',
  'options.topP': 'top_p',
  'options.responseSchema': 'response_format',
  'options.callerTools': 'tools',
  mustCall: 'tool_choice',
} as const;

/**
 * Reads the body of a request.
 * @returns also the parameters that have no effect here
 * @throws HoldfastError `VALIDATION` for what is not valid, and for what cannot be done
 */
export function readChatRequest(body: unknown): {
  readonly request: ChatRequest;
  readonly ignored: string[];
} {
  const given = requestOf(body);
  refuse(given);
  const parsed = parseInput(schema, given, 'body') as z.output<typeof schema>;
  return {
    request: {
      ...parsed,
      ...readCallerTools(given),
      responseSchema: readFormat(parsed.response_format, 'response_format.json_schema.schema'),
    },
    ignored: namedIn(given, KNOWN),
  };
}

function refuse(given: Readonly<Record<string, unknown>>): void {
  const { n, logprobs, top_logprobs: top, audio, modalities } = given;
  if (n !== undefined && n !== 1) throw unsupported('n', 'One answer is given, so n must be 1');
  if ((logprobs !== undefined && logprobs !== false) || top !== undefined)
    throw unsupported(
      logprobs === undefined ? 'top_logprobs' : 'logprobs',
      'Probabilities of tokens are not known',
    );
  if (audio !== undefined || (Array.isArray(modalities) && modalities.some((each) => each !== 'text')))
    throw unsupported(audio === undefined ? 'modalities' : 'audio', 'Audio is not made');
}

/** The JSON Schema that an answer has to fit. @param field where the schema stands @throws HoldfastError `VALIDATION` */
export function readFormat(format: ChatRequest['response_format'], field: string): JsonSchema | undefined {
  if (format === undefined || format.type === 'text') return undefined;
  // Any object is what the mode promises, and the answer is checked by it.
  if (format.type === 'json_object') return { type: 'object' };
  const { schema: askedSchema } = format.json_schema ?? {};
  if (askedSchema === undefined) throw validationError(field, `${field} is required`);
  return askedSchema;
}
