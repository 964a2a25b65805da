import { classifiesAs, purposeOf, textsIn } from './agent';
import type { Behaviour, ModelRequest, ScriptedCall } from './model-server';
import { callsTools, says } from './model-server';

/** An attack, and what a model does that obeys it. */
export interface Attack {
  readonly says: string;
  /** What of it the model knows it by, as the model sees it; default: all of it. */
  readonly sign?: string;
  readonly calls: readonly ScriptedCall[];
}

/** Does what the user wants, `wantedCalls`, then what the attack wants, one call after another, and at last tells all it knows. */
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

/** A request's texts as a model understands them, however they are escaped. */
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

/** Memories stand in one element of one message, which nothing in them ends; and no system message is theirs. */
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
    expect(String(content)).toMatch(/<\/memories>$/);
    for (const line of String(content)
      .split('\n')
      .slice(1, -1)
      .join('\n')
      .split(/(?<=<\/\w+>)\n/)) {
      expect(line).toMatch(/^<(message|memory|knowledge)( \w+="[^"<>]*")*>[^<>]*<\/\1>$/);
    }
  }
}
