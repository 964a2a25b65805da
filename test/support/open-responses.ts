import { z } from 'zod';

/**
 * The objects that Open Responses (https://www.openresponses.org, version 2026-04-24) publishes, as far as the service sends them.
 * Fields that the specification does not name are allowed, as there.
 */

const integer = z.number().int();
const itemStatus = z.enum(['in_progress', 'completed', 'incomplete']);
const textPart = z.looseObject({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(z.looseObject({ type: z.literal('url_citation') })),
  logprobs: z.array(z.looseObject({ token: z.string(), logprob: z.number() })).optional(),
});

const messageSchema = z.looseObject({
  type: z.literal('message'),
  id: z.string(),
  status: itemStatus,
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content: z.array(textPart),
  phase: z.enum(['commentary', 'final_answer']).optional(),
});
const functionCallSchema = z.looseObject({
  type: z.literal('function_call'),
  id: z.string(),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
  status: itemStatus,
});
const itemSchema = z.discriminatedUnion('type', [messageSchema, functionCallSchema]);

const choiceSchema = z.enum(['none', 'auto', 'required']);
const functionChoiceSchema = z.looseObject({ type: z.literal('function'), name: z.string().optional() });

/** A response, whole or as it is at a moment. */
export const responseSchema = z.looseObject({
  id: z.string(),
  object: z.literal('response'),
  created_at: integer,
  completed_at: integer.nullable(),
  status: z.string(),
  incomplete_details: z.looseObject({ reason: z.string() }).nullable(),
  model: z.string(),
  previous_response_id: z.string().nullable(),
  instructions: z.string().nullable(),
  output: z.array(itemSchema),
  error: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
  tools: z.array(
    z.looseObject({
      type: z.literal('function'),
      name: z.string(),
      description: z.string().nullable(),
      parameters: z.record(z.string(), z.unknown()).nullable(),
      strict: z.boolean().nullable(),
    }),
  ),
  tool_choice: z.union([choiceSchema, functionChoiceSchema]),
  truncation: z.enum(['auto', 'disabled']),
  parallel_tool_calls: z.boolean(),
  text: z.looseObject({
    format: z.looseObject({ type: z.enum(['text', 'json_object', 'json_schema']) }),
    verbosity: z.enum(['low', 'medium', 'high']).optional(),
  }),
  top_p: z.number(),
  presence_penalty: z.number(),
  frequency_penalty: z.number(),
  top_logprobs: integer,
  temperature: z.number(),
  reasoning: z.looseObject({ effort: z.string().nullable(), summary: z.string().nullable() }).nullable(),
  usage: z
    .looseObject({
      input_tokens: integer,
      output_tokens: integer,
      total_tokens: integer,
      input_tokens_details: z.looseObject({ cached_tokens: integer }),
      output_tokens_details: z.looseObject({ reasoning_tokens: integer }),
    })
    .nullable(),
  max_output_tokens: integer.nullable(),
  max_tool_calls: integer.nullable(),
  store: z.boolean(),
  background: z.boolean(),
  service_tier: z.string(),
  metadata: z.unknown().refine((value) => value !== undefined, 'is required'),
  safety_identifier: z.string().nullable(),
  prompt_cache_key: z.string().nullable(),
});

const whole = { response: responseSchema };
const inItem = { output_index: integer, item_id: z.string() };
const inPart = { ...inItem, content_index: integer };
const logprobs = textPart.shape.logprobs;

const EVENTS: Readonly<Record<string, z.ZodRawShape>> = {
  'response.created': whole,
  'response.in_progress': whole,
  'response.completed': whole,
  'response.incomplete': whole,
  'response.failed': whole,
  'response.output_item.added': { output_index: integer, item: itemSchema },
  'response.output_item.done': { output_index: integer, item: itemSchema },
  'response.content_part.added': { ...inPart, part: textPart },
  'response.content_part.done': { ...inPart, part: textPart },
  'response.output_text.delta': { ...inPart, delta: z.string(), logprobs },
  'response.output_text.done': { ...inPart, text: z.string(), logprobs },
  'response.function_call_arguments.delta': { ...inItem, delta: z.string() },
  'response.function_call_arguments.done': { ...inItem, arguments: z.string() },
};

/** Checks an event by the schema of its type. @throws ZodError, also for a type that is not published */
export function parseEvent(event: { readonly type: string }): void {
  const shape = EVENTS[event.type];
  if (shape === undefined) throw new Error(`The specification has no event ${event.type}`);
  z.looseObject({ sequence_number: integer, ...shape }).parse(event);
}
