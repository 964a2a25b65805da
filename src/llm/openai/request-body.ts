import type { GenerationOptions } from '../../contracts/http/llm';
import type { JsonSchema } from '../../contracts/http/tools';
import { shapeConversation } from './conversation';
import type { CallKnowledge } from './learned';
import type { Body, Message } from './messages';
import { simplifySchema } from '../simplify-schema';

/** A function as it is offered. */
export interface OfferedFunction {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

/** What a request asks for. How it is written depends on what the server takes. */
export interface Wish {
  readonly messages: readonly Message[];
  readonly offer?: { readonly functions: readonly OfferedFunction[]; readonly choice: 'auto' | 'required' };
  /** A JSON Schema that the text of the answer has to fit. With an `offer` it is the first of two ways to ask. */
  readonly json?: {
    readonly name: string;
    readonly schema: JsonSchema;
    /** Says what the JSON is, beside the schema. */
    readonly instruction?: string;
  };
  readonly settings: Pick<GenerationOptions, 'temperature' | 'topP' | 'maxTokens'>;
}

/** How a wish is asked for of a server. */
export type Way = 'text' | 'json' | 'json in words' | 'tools' | 'tools in words';

type LimitName = 'max_tokens' | 'max_completion_tokens';

/** Chooses how a wish is asked for. Pure. */
export function wayOf({ json, offer }: Wish, known: Pick<CallKnowledge, 'has'>): Way {
  const hasFormat = !known.has('response_format') && !(offer !== undefined && known.has('ignores_format'));
  if (json !== undefined && (hasFormat || offer === undefined)) return hasFormat ? 'json' : 'json in words';
  if (offer === undefined || offer.functions.length === 0) return 'text';
  return known.has('tools') ? 'tools in words' : 'tools';
}

/**
 * Writes a request without anything that its model is known to refuse. Pure.
 * @param limitName the name of the limit of tokens that this provider is tried with first
 */
export function buildBody(
  model: string,
  wish: Wish,
  { known, limitName }: { readonly known: Pick<CallKnowledge, 'has'>; readonly limitName: LimitName },
): Body {
  const { messages, json, offer, settings } = wish;
  const way = wayOf(wish, known);
  const fit = (schema: JsonSchema): JsonSchema =>
    known.has('schema_keywords') ? simplifySchema(schema) : schema;
  const instructions = [
    ...(way === 'json' ? [json?.instruction ?? ''] : []),
    ...(way === 'json in words' ? [inWords(json?.schema ?? {})] : []),
    ...(way === 'tools in words' ? [describeTools(offer?.functions ?? [])] : []),
  ];
  return {
    model,
    messages: shapeConversation(messages, instructions, {
      hasSystem: !known.has('system'),
      emptyContent: known.has('null_content') ? '' : null,
      hasToolMessages: !known.has('tool_messages') && way !== 'tools in words',
    }),
    ...writeSettings(settings, known, limitName),
    response_format:
      way === 'json' && json !== undefined
        ? {
            type: 'json_schema',
            // `strict` allows only a part of JSON Schema, and the answer is checked here anyway.
            json_schema: { name: json.name, schema: fit(json.schema), strict: false },
          }
        : undefined,
    ...(way === 'tools' && offer !== undefined
      ? {
          tools: offer.functions.map((offered) => ({
            type: 'function',
            function: { ...offered, parameters: fit(offered.parameters) },
          })),
          tool_choice: known.has('required_choice') ? 'auto' : offer.choice,
        }
      : {}),
  };
}

/** OpenAI's newer models refuse the old name of the limit, and other servers often know only that one. */
function writeSettings(
  { temperature, topP, maxTokens }: Wish['settings'],
  known: Pick<CallKnowledge, 'has'>,
  preferred: LimitName,
): Partial<Body> {
  const other = preferred === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
  const name = [preferred, other].find((one) => !known.has(one as LimitName));
  return {
    ...(known.has('sampling') ? {} : { temperature, top_p: topP }),
    ...(name === undefined ? {} : { [name]: maxTokens }),
  };
}

function inWords(schema: JsonSchema): string {
  return `Answer with JSON alone, without any explanation. It has to fit this JSON Schema:\n${JSON.stringify(schema)}`;
}

function describeTools(functions: readonly OfferedFunction[]): string {
  return [
    'You can call the functions below. To call one, answer with one JSON object alone, without any words, in this form:',
    '{"name": "the name of the function", "arguments": {}}',
    'The arguments have to fit the JSON Schema in "parameters". Where you need no function, answer in words.',
    ...functions.map((offered) => JSON.stringify(offered)),
  ].join('\n');
}
