import type OpenAI from 'openai';
import { FACTS_SCHEMA, type DrawnFact } from '../../src/memory/facts/model/ask';
import { type Behaviour, type ModelRequest, says, saysJson } from './model-server';

/** The memory that a request asks for the facts of; undefined for any other request. */
export function askedMemory({ body }: ModelRequest): string | undefined {
  const { response_format: format, messages } = body;
  if (format?.type !== 'json_schema' || format.json_schema.name !== FACTS_SCHEMA) return undefined;
  const last = messages.at(-1) as OpenAI.ChatCompletionUserMessageParam | undefined;
  return typeof last?.content === 'string' ? last.content : undefined;
}

/** A fact about the user, which its memory says as a whole. */
export function drawn(quote: string, fact: Partial<DrawnFact> & { readonly value: string }): DrawnFact {
  return { subject: 'user', attribute: 'home', change: 'holds', quote, ...fact };
}

/** Answers requests for facts with those of a memory, and others with a text. */
export function drawsFacts(
  factsOf: (memory: string) => readonly unknown[],
  usage?: [number, number],
): Behaviour {
  return (request, response) => {
    const memory = askedMemory(request);
    const options = usage === undefined ? {} : { usage };
    const answer = memory === undefined ? says('ok') : saysJson({ facts: factsOf(memory) }, options);
    return answer(request, response);
  };
}
