import { classifiesAs, purposeOf, textsIn } from './agent';
import { type Behaviour, callsTools, type ModelRequest, says, type ScriptedCall } from './model-server';

/** An attack, and the calls of a model that obeys it. */
export interface Attack {
  readonly says: string;
  /** The part of the text by which the model recognizes the attack; by default all of it. */
  readonly sign?: string;
  readonly calls: readonly ScriptedCall[];
}

/**
 * Makes the calls that the user wants, `wantedCalls`, then those of the attack, and at last answers with all that it
 * knows.
 */
export function obeys(
  { says: text, sign = text, calls }: Attack,
  wantedCalls: readonly ScriptedCall[] = [],
): Behaviour {
  return (request, response) => {
    const purpose = purposeOf(request);
    if (purpose === 'classify') return classifiesAs('hybrid', ['api_call'])(request, response);
    const seen = readBy(request);
    const wanted = [...wantedCalls, ...(seen.includes(sign) ? calls : [])];
    const next = wanted[request.body.messages.filter(({ role }) => role === 'tool').length];
    const answer = purpose === 'plan' && next !== undefined ? callsTools([next]) : says(`I obey. ${seen}`);
    return answer(request, response);
  };
}

/** A request's texts as a model reads them, without their escapes. */
export function readBy(request: ModelRequest): string {
  return textsIn(request).map(unescaped).join('\n');
}

function unescaped(text: string): string {
  const json = text.replaceAll(/\\(["\\/bfnrtu])/g, (whole: string) => {
    const parsed: unknown = whole === '\\u' ? whole : JSON.parse(`"${whole}"`);
    return String(parsed);
  });
  const decode = (value: string): string =>
    value.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  return `${decode(text)}\n${decode(json)}`;
}

/** Expects that memories stay in one element of one message, which no memory can end, and in no system message. */
export function expectDataApart(request: ModelRequest): void {
  const systems = request.body.messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => String(content));
  for (const text of systems) expect(text).not.toMatch(/OBEY|127\.0\.0\.1|secret\.txt/);
  const memories = request.body.messages.filter(({ content }) => String(content).startsWith('<memories>'));
  expect(memories.length).toBeLessThanOrEqual(1);
  for (const { role, content } of memories) {
    expect(role).toBe('user');
    expect(String(content).match(/<\/?memories>/g)).toEqual(['<memories>', '</memories>']);
    // After the memories the same message has what the user says.
    const [element] = String(content).split(/(?<=<\/memories>)/);
    for (const line of String(element)
      .split('\n')
      .slice(1, -1)
      .join('\n')
      .split(/(?<=<\/\w+>)\n/)) {
      expect(line).toMatch(/^<(message|memory|knowledge)( \w+="[^"<>]*")*>[^<>]*<\/\1>$/);
    }
  }
}
