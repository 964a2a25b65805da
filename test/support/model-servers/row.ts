import type OpenAI from 'openai';
import type { ToolDescription } from '../../../src/contracts/http/llm';
import { calculatorDeclaration } from '../../../src/tools/builtin/declarations';
import { type Behaviour, fails, type ModelRequest, says } from '../model-server';
import { sendJson } from '../stub-peer';

/** The tools that rows call. `keep` gives its arguments back. */
export const KEEP: ToolDescription = {
  name: 'notes.keep',
  description: 'Keeps a note and returns it',
  inputSchema: {
    type: 'object',
    properties: {
      text: { type: 'string', description: 'What to keep' },
      tags: { type: 'array', description: 'Words to find it by' },
      place: { type: 'object', description: 'Where it was' },
      isOpen: { type: 'boolean', description: 'Whether it is to be done' },
      priority: { type: 'integer', description: 'From 1 to 5' },
    },
    required: ['text'],
  },
};
export const TOOLS: readonly ToolDescription[] = [calculatorDeclaration, KEEP];

/**
 * How the model is asked: `plan` by a planner, `arguments` for those of the calculator alone, `answer` in words, as a stream,
 * with memories before the query, and `turn` by a planner with memories.
 */
export type Via = 'plan' | 'arguments' | 'answer' | 'turn';

/** What a server does, and what must come out. */
export interface Row {
  readonly name: string;
  readonly provider?: 'hosted' | 'local';
  /** Default: `plan`. */
  readonly via?: Via;
  /** Creates the server's behaviour, which may count requests. */
  readonly server: () => Behaviour;
  readonly expected: { readonly result: unknown } | { readonly says: string } | { readonly fails: string };
  /** How many requests are sent. */
  readonly requests?: number;
  /** Checks the requests. */
  readonly sent?: (bodies: readonly Body[]) => void;
}

export type Body = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'max_tokens'> & {
  /** The old name of the limit, which other servers still have. */
  readonly max_tokens?: number | null;
};

/** What the model of a row says when it has the result of its call. */
export const DONE = 'It is done.';
export const ADD = { operation: 'add', a: 48, b: 17 };
export const ADD_JSON = JSON.stringify(ADD);
export const SUM = { result: 65 };

export function hasResult({ messages }: Body): boolean {
  return messages.some(({ role, content }) => role === 'tool' || /^Result of /m.test(String(content)));
}

/** A model that does this until it has the result of a call, and then says so. */
export function until(behaviour: Behaviour): () => Behaviour {
  return () => (request, response) =>
    (hasResult(request.body as Body) ? says(DONE) : behaviour)(request, response);
}

/** Behaviours one after another; the last one repeats. */
export function inTurn(...behaviours: Behaviour[]): () => Behaviour {
  return () => {
    let at = 0;
    return (request, response) => {
      const behaviour = behaviours[Math.min(at, behaviours.length - 1)];
      at += 1;
      return behaviour?.(request, response);
    };
  };
}

/** Refuses requests of which this is true. */
export function refusing(
  isRefused: (body: Body) => boolean,
  refusal: Behaviour,
  good: () => Behaviour,
): () => Behaviour {
  return () => {
    const answer = good();
    return (request, response) => (isRefused(request.body as Body) ? refusal : answer)(request, response);
  };
}

/** A refusal in the form of OpenAI. */
export function refusal(message: string, more: object = {}, status = 400): Behaviour {
  return fails(status, { message, type: 'invalid_request_error', ...more });
}

/** Answers with a message as it is. */
export function answers(message: object, more: object = {}): Behaviour {
  return (_request: ModelRequest, response) =>
    sendJson(response, 200, { choices: [{ index: 0, finish_reason: 'stop', message, ...more }] });
}

/** The roles of a conversation in one letter each. */
export function rolesOf({ messages }: Body): string {
  return messages.map(({ role }) => role.charAt(0)).join('');
}
