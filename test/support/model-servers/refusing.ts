import { callsTools, fails, says, streams } from '../model-server';
import {
  ADD,
  ADD_JSON,
  answers,
  type Body,
  DONE,
  hasResult,
  inTurn,
  refusal,
  refusing,
  type Row,
  rolesOf,
  SUM,
  until,
} from './row';

const CALL = callsTools([{ name: 'calculator', args: ADD }]);
const good = until(CALL);
const isCalling = (body: Body): boolean => body.messages.some((message) => 'tool_calls' in message);
/** As chat templates judge, for which a result of a tool is said by the user. */
const alternates = (body: Body): boolean => {
  const roles = rolesOf(body).replace(/^s/, '').replaceAll('t', 'u');
  return /^(?:ua)*u?$/.test(roles);
};
const unsupported = (param: string) => ({ param, code: 'unsupported_parameter' });

/** What servers refuse of a request. */
export const REFUSING: readonly Row[] = [
  ...(['answer', 'turn'] as const).flatMap((via): Row[] => {
    const expected = via === 'answer' ? { says: DONE } : SUM;
    const answer = via === 'answer' ? inTurn(says(DONE)) : good;
    return [
      {
        name: `a template of Mistral, whose roles alternate: ${via}`,
        provider: 'local',
        via,
        server: refusing(
          (body) => !alternates(body),
          refusal('After the optional system message, conversation roles must alternate user/assistant'),
          answer,
        ),
        expected,
        requests: via === 'answer' ? 1 : 2,
      },
      {
        name: `a template of Gemma 2, without a system role: ${via}`,
        provider: 'local',
        via,
        server: refusing(
          (body) => /s/.test(rolesOf(body)) || !alternates(body),
          refusal('System role not supported'),
          answer,
        ),
        expected,
        requests: via === 'answer' ? 2 : 3,
        sent: (bodies) => expect(bodies.at(-1)?.messages[0]?.content).toMatch(/^You [^]*<memories>/),
      },
      {
        name: `a template of Qwen 3.5, whose system message is the first: ${via}`,
        provider: 'local',
        via,
        server: refusing(
          (body) => /.s/.test(rolesOf(body)),
          fails(500, { message: 'System message must be at the beginning.' }),
          answer,
        ),
        expected,
        requests: via === 'answer' ? 1 : 2,
      },
    ];
  }),
  {
    name: 'results of tools in a separate role',
    provider: 'local',
    server: refusing(
      (body) => rolesOf(body).includes('t'),
      refusal("Conversation roles must alternate user/assistant; unexpected role 'tool'"),
      good,
    ),
    expected: SUM,
    sent: (bodies) => expect(rolesOf(bodies.at(-1)!)).toBe('suau'),
  },
  {
    name: 'no content beside calls',
    server: refusing(
      (body) => isCalling(body) && body.messages.some(({ content }) => content === null),
      refusal("Invalid value for 'content': expected a string, got null."),
      good,
    ),
    expected: SUM,
    requests: 3,
  },
  {
    name: 'empty content beside calls',
    server: refusing(
      (body) => body.messages.some(({ content }) => content === ''),
      refusal('messages: text content blocks must be non-empty'),
      good,
    ),
    expected: SUM,
    requests: 2,
  },
  {
    name: 'max_tokens',
    provider: 'local',
    server: refusing(
      (body) => body.max_tokens != null,
      refusal("'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", {
        ...unsupported('max_tokens'),
      }),
      good,
    ),
    expected: SUM,
    requests: 3,
    sent: (bodies) =>
      expect(bodies.map((body) => body.max_completion_tokens)).toEqual([undefined, 1_024, 1_024]),
  },
  {
    name: 'max_completion_tokens',
    server: refusing(
      (body) => body.max_completion_tokens != null,
      fails(422, {
        message: '[{"loc":["body","max_completion_tokens"],"msg":"Extra inputs are not permitted"}]',
      }),
      good,
    ),
    expected: SUM,
    requests: 3,
    sent: (bodies) => expect(bodies.at(-1)?.max_tokens).toBe(1_024),
  },
  {
    name: 'a temperature, by a code',
    server: refusing(
      (body) => body.temperature !== undefined,
      refusal('Unsupported.', { param: 'temperature', code: 'unsupported_value' }),
      good,
    ),
    expected: SUM,
    requests: 3,
    sent: (bodies) => expect(bodies.map(({ temperature }) => temperature)).toEqual([0, undefined, undefined]),
  },
  {
    name: 'a temperature, in words',
    provider: 'local',
    server: refusing(
      (body) => body.temperature !== undefined,
      refusal('`temperature` is deprecated for this model.'),
      good,
    ),
    expected: SUM,
    requests: 3,
  },
  {
    name: 'all that reasoning models refuse, at a local gateway',
    provider: 'local',
    server: refusing(
      (body) => body.temperature !== undefined || body.max_tokens != null,
      (request, response) => {
        const param = (request.body as Body).temperature === undefined ? 'max_tokens' : 'temperature';
        return refusal(`Unsupported parameter: '${param}'.`, unsupported(param))(request, response);
      },
      good,
    ),
    expected: SUM,
    requests: 4,
  },
  {
    name: 'stream_options',
    provider: 'local',
    via: 'answer',
    server: refusing(
      (body) => body.stream_options != null,
      refusal('Unrecognized request argument supplied: stream_options'),
      inTurn(says(DONE)),
    ),
    expected: { says: DONE },
    requests: 2,
    sent: (bodies) => expect(bodies.map(({ stream }) => stream)).toEqual([true, true]),
  },
  {
    name: 'streams',
    provider: 'local',
    via: 'answer',
    server: refusing(
      (body) => (body as { stream?: unknown }).stream === true,
      fails(501, { message: 'streaming is not implemented' }),
      inTurn(says(DONE)),
    ),
    expected: { says: DONE },
    requests: 2,
  },
  {
    name: 'a stream that breaks off',
    via: 'answer',
    server: inTurn(streams(['It '], { ending: 'cut' }), says(DONE)),
    expected: { says: DONE },
    requests: 2,
  },
  {
    name: 'response_format, without naming it',
    provider: 'local',
    via: 'arguments',
    server: refusing((body) => body.response_format !== undefined, fails(400, 'bad request'), good),
    expected: SUM,
    requests: 2,
    sent: ([, body]) => expect(body).toMatchObject({ tool_choice: 'required' }),
  },
  {
    name: 'a required call',
    via: 'arguments',
    server: refusing(
      (body) => body.tool_choice === 'required',
      refusal('Thinking mode does not support this tool_choice'),
      good,
    ),
    expected: SUM,
    requests: 2,
    sent: ([, body]) => expect(body).toMatchObject({ tool_choice: 'auto' }),
  },
  ...(
    [
      ['tools, as Ollama', 'registry.ollama.ai/library/gemma2 does not support tools', 400],
      ['tools, as vLLM', '"auto" tool choice requires --enable-auto-tool-choice to be set', 400],
      ['tools, as llama.cpp', 'tools param requires --jinja flag', 500],
      ['tools, as OpenRouter', 'No endpoints found that support tool use', 404],
    ] as const
  ).map(([name, words, status]): Row => ({
    name,
    provider: 'local',
    server: refusing(
      (body) => body.tools !== undefined || rolesOf(body).includes('t'),
      refusal(words, {}, status),
      until(says(`{"name": "calculator", "arguments": ${ADD_JSON}}`)),
    ),
    expected: SUM,
    requests: 3,
    sent: ([, body]) => expect(body?.messages[0]?.content).toMatch(/"name":"calculator"/),
  })),
  {
    name: 'nothing, but fails once with words about tools',
    provider: 'local',
    server: inTurn(
      fails(500, { message: 'the tool runner had an unexpected end of input' }),
      CALL,
      says(DONE),
    ),
    expected: SUM,
    requests: 3,
    sent: (bodies) => expect(bodies.every(({ tools }) => tools !== undefined)).toBe(true),
  },
  {
    name: 'tools, without saying so: its count shows that they were dropped',
    provider: 'local',
    server: () => (request, response) => {
      const body = request.body as Body;
      const text = hasResult(body)
        ? DONE
        : body.tools === undefined
          ? `{"name": "calculator", "arguments": ${ADD_JSON}}`
          : '48 + 17 = 65, and then 55 + 17 = 22.';
      const words = body.messages.map(({ content }) => String(content)).join(' ');
      return says(text, { usage: [Math.ceil(words.length / 4), 20] })(request, response);
    },
    expected: SUM,
    requests: 3,
  },
  {
    name: 'a request that is too long, which no other form would change',
    provider: 'local',
    via: 'arguments',
    server: inTurn(refusal('the request (2290 tokens) exceeds the available context size (2048 tokens)')),
    expected: { fails: 'MODEL_UNAVAILABLE' },
    requests: 1,
  },
  {
    name: 'a request for another reason',
    server: inTurn(refusal('messages violate our policy')),
    expected: { fails: 'MODEL_UNAVAILABLE' },
    requests: 1,
  },
  {
    name: 'parallel_tool_calls, which is never sent',
    server: refusing(
      (body) => body.parallel_tool_calls !== undefined,
      refusal("'parallel_tool_calls' is not supported"),
      good,
    ),
    expected: SUM,
    requests: 2,
  },
  {
    name: 'nothing, but loses its first answer',
    server: inTurn(answers({}, { message: null }), CALL, says(DONE)),
    expected: SUM,
    requests: 3,
  },
  {
    name: 'nothing, but has no choice in its first answer',
    server: inTurn((_request, response) => void response.end('{"choices":[]}'), CALL, says(DONE)),
    expected: SUM,
  },
];
