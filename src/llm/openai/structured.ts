import type { z } from 'zod';
import { JsonNestingError, parseJson } from '../../base/json/parse';
import { cutText } from '../../base/text/well-formed';
import type { ChatMessage } from '../../contracts/http/llm';
import { shorten } from '../../contracts/json';
import type { JsonSchema } from '../../contracts/http/tools';
import type { StructuredRequest, StructuredResult } from '../provider';
import { createFunctionNames } from './function-names';
import { toMessages, withObjection } from './messages';
import type { ModelCall } from './model-call';
import type { Answer } from './answer';
import { toJsonSchema } from '../schema-for-models';

type Read<T> = { readonly value: T } | { readonly problem: string };

const PROBLEM_LENGTH = 1_000;
/** More than any value has. Of a longer one each mistake would be described, in more memory than a process has. */
const MAX_JSON_LENGTH = 100_000;
/** Characters of an answer that the model is shown again, because they cost as much as its prompt. */
const MAX_REPEATED = 10_000;

/** A schema that a model's answer has to fit. */
export interface AskedSchema<T> {
  readonly name: string;
  readonly schema: JsonSchema;
  /** Says what the schema refuses, or returns the value as it is used. */
  check(value: unknown): Read<T> | Promise<Read<T>>;
}

/** Asks for a value that fits the request's schema, a second time if the first answer does not fit. */
export async function askStructured<T>(
  call: ModelCall,
  { messages, schema, schemaName: name }: StructuredRequest<T>,
): Promise<StructuredResult<T>> {
  const read = await askForJson(call, messages, {
    name,
    schema: toJsonSchema(schema),
    check(value): Read<T> {
      const parsed = schema.safeParse(value);
      return parsed.success ? { value: parsed.data } : { problem: describeIssues(parsed.error) };
    },
  });
  return { ...read, provider: call.provider, model: call.model, usage: call.usage() };
}

/**
 * Asks for JSON that fits a schema, a second time if the first answer does not fit.
 * @returns the value, and whether it came with the second answer
 * @throws HoldfastError `MODEL_OUTPUT_INVALID` if the second does not fit either
 */
export async function askForJson<T>(
  call: ModelCall,
  conversation: readonly ChatMessage[],
  answerSchema: AskedSchema<T>,
): Promise<{ readonly value: T; readonly repaired: boolean }> {
  const messages = toMessages(conversation, createFunctionNames([]));
  const json = { name: answerSchema.name, schema: answerSchema.schema };
  const first = await call.ask({ messages, json });
  const read = await readValue(answerSchema, first);
  if ('value' in read) return { value: read.value, repaired: false };

  const objection = `That answer cannot be used: ${read.problem}. Answer again, with JSON alone that fits the schema.`;
  const second = await readValue(
    answerSchema,
    await call.ask({
      messages: withObjection(messages, shorten(first.content, MAX_REPEATED), objection),
      json,
    }),
  );
  if ('value' in second) return { value: second.value, repaired: true };
  throw call.invalid(second.problem);
}

async function readValue<T>({ check }: AskedSchema<T>, { content, finishReason }: Answer): Promise<Read<T>> {
  if (content.length > MAX_JSON_LENGTH) return { problem: `it is longer than ${MAX_JSON_LENGTH} characters` };
  const json = readJson(content);
  if (json === undefined) {
    return {
      problem: finishReason === 'length' ? 'it is cut off at the maximum number of tokens' : 'it is not JSON',
    };
  }
  if ('problem' in json) return json;
  return check(json.value);
}

/** Reads JSON, also inside a fence or a sentence, where models like to put it. */
function readJson(text: string): Read<unknown> | undefined {
  const fenced = /```(?:json)?([\s\S]*?)```/i.exec(text)?.[1];
  const braced = text.slice(text.search(/[{[]/), Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1);
  for (const candidate of [text, fenced, braced]) {
    if (candidate === undefined) continue;
    try {
      return { value: parseJson(candidate) };
    } catch (error) {
      if (error instanceof JsonNestingError) return { problem: error.message };
      // The next candidate may be JSON.
    }
  }
  return undefined;
}

function describeIssues({ issues }: z.ZodError): string {
  const problems = issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`,
  );
  return cutText(problems.join('; '), PROBLEM_LENGTH);
}
