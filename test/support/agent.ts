import type { Answer, Paths } from './http';
import { type Behaviour, callsTools, type ModelRequest, says, saysJson } from './model-server';

/** Initializes the agent before a turn; if no initialization is needed, the path does not exist. */
export async function initializeAgent({ post }: Pick<Paths, 'post'>): Promise<void> {
  const { status, text } = await post('/api/agent/initialize', {});
  if (status !== 200 && status !== 404) throw new Error(`the agent was not initialized: ${status} ${text}`);
}

/** Sends one turn; `options` names at least the user. */
export function ask(
  { post }: Pick<Paths, 'post'>,
  query: unknown,
  options: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return post('/api/agent/execute', { query, options: { sessionId: 'session-1', ...options } }, headers);
}

/** The data of an answered turn. Throws the answer if its status is not 200. */
export async function answerOf(turn: Promise<Answer>) {
  const { status, text, body } = await turn;
  if (status !== 200) throw new Error(`status ${status}: ${text}`);
  return body.data;
}

/** The purposes for which the agent asks a model. */
export type Purpose = 'classify' | 'plan' | 'answer';

export function purposeOf({ body }: ModelRequest): Purpose {
  const { response_format: format } = body;
  // An answer by a schema of the caller has the name that the provider gives it.
  if (format?.type === 'json_schema' && format.json_schema.name === 'answer') return 'answer';
  if (format !== undefined) return 'classify';
  return (body.tools ?? []).length > 0 ? 'plan' : 'answer';
}

/** The requests of one purpose, in order. */
export function asked(requests: readonly ModelRequest[], purpose: Purpose): ModelRequest[] {
  return requests.filter((request) => purposeOf(request) === purpose);
}

/** All texts of a request, as the model reads them. */
export function textsIn(request: ModelRequest): string[] {
  return request.body.messages.map(({ content }) => (typeof content === 'string' ? content : ''));
}

/** A model's classification. */
export function classifiesAs(type: string, requiredTools: readonly string[] = []): Behaviour {
  return saysJson({ type, confidence: 0.95, requiredTools, reasoning: `It is ${type}.` });
}

export interface ModelParts {
  readonly classify?: Behaviour;
  readonly plan?: Behaviour;
  readonly answer?: Behaviour;
}

/**
 * A model with one behaviour for each purpose. By default it classifies everything as conversation and calls no tool.
 */
export function playsAgent(parts: ModelParts): Behaviour {
  const { classify = classifiesAs('conversation'), plan = says('Done.'), answer = says('Hello.') } = parts;
  const behaviours = { classify, plan, answer };
  return (request, response) => behaviours[purposeOf(request)](request, response);
}

/** A planner that makes these calls one after another, each in a separate answer, and then answers with a text. */
export function plansInTurn(
  calls: readonly Parameters<typeof callsTools>[0][number][],
  done: string,
): Behaviour {
  return (request, response) => {
    const made = request.body.messages.filter(({ role }) => role === 'tool').length;
    const next = calls[made];
    return (next === undefined ? says(done) : callsTools([next]))(request, response);
  };
}
