import type { Paths } from './http';
import { purposeOf, type Purpose, textsIn, classifiesAs } from './agent';
import { type Behaviour, callsTools, type ModelRequest, says, type ScriptedCall } from './model-server';

/** What an agent of a team does: a call at a time, and then what it says. */
export interface Part {
  readonly calls?: readonly (ScriptedCall | readonly ScriptedCall[])[];
  readonly says: string;
}

/** Which agent of a team a model is asked for, by the instructions that it is sent. */
export function agentIn(request: ModelRequest): string {
  return /You are the agent (\S+)\./.exec(textsIn(request).join('\n'))?.[1] ?? '';
}

/** A model that plays several agents at once, each by its part. */
export function playsTeam(parts: Readonly<Record<string, Part>>): Behaviour {
  const behaviours: Record<Purpose, (part: Part, request: ModelRequest) => Behaviour> = {
    // A classification has no instructions.
    classify: () => classifiesAs('tool_execution'),
    plan({ calls = [], says: text }, { body }) {
      const planned = body.messages.filter(
        (message) => message.role === 'assistant' && (message.tool_calls ?? []).length > 0,
      ).length;
      const next = calls[planned];
      return next === undefined
        ? says(text)
        : callsTools(Array.isArray(next) ? next : [next as ScriptedCall]);
    },
    answer: ({ says: text }) => says(text),
  };
  return (request, response) => {
    const part = parts[agentIn(request)] ?? { says: 'Nobody.' };
    return behaviours[purposeOf(request)](part, request)(request, response);
  };
}

/** A planner's call of an agent. */
export function asksAgent(id: string, query: string): ScriptedCall {
  return { name: `agent_${id}`, args: { query } };
}

/** Stores an agent with instructions by which `playsTeam` knows it. */
export async function putAgent(
  { send }: Pick<Paths, 'send'>,
  id: string,
  definition: object = {},
): Promise<void> {
  const { status, text } = await send('PUT', `/api/agents/${id}`, {
    name: id,
    description: `The agent ${id}`,
    instructions: `You are the agent ${id}.`,
    ...definition,
  });
  if (status >= 300) throw new Error(`the agent was not stored: ${status} ${text}`);
}
