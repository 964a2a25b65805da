import { callsTools, fails, says, saysJson } from '../model-server';
import { ADD, ADD_JSON, answers, type Body, DONE, hasResult, inTurn, type Row, SUM, until } from './row';

const XML =
  '<function=calculator>\n<parameter=operation>\nadd\n</parameter>\n<parameter=a>\n48\n</parameter>\n<parameter=b>17</parameter>\n</function>';
const NAMED = `{"name": "calculator", "arguments": ${ADD_JSON}}`;

/** Calls as text, as models of several kinds write them if their server does not read them. */
const TEXTS: readonly (readonly [string, string])[] = [
  ['of Hermes', `<tool_call>\n${NAMED}\n</tool_call>`],
  ['of Hermes, without its end', `<tool_call>\n${NAMED}`],
  ['of Qwen 3 Coder', `<tool_call>\n${XML}\n</tool_call>`],
  ['of Llama 3, as a function', `<function=calculator>${ADD_JSON}</function>`],
  ['of Llama 3, as Groq sees it', `<function=calculator${ADD_JSON}</function>`],
  ['of Llama 3, after its mark', `<|python_tag|>{"name": "calculator", "parameters": ${ADD_JSON}}<|eom_id|>`],
  ['of Llama 3, as JSON alone', `{"name": "calculator", "parameters": ${ADD_JSON}}`],
  ['of Mistral, as a list', `[TOOL_CALLS][${NAMED}]`],
  ['of Mistral, after the name', `[TOOL_CALLS]calculator[ARGS]${ADD_JSON}</s>`],
  [
    'of gpt-oss',
    `<|channel|>analysis<|message|>Add.<|end|><|start|>assistant<|channel|>commentary to=functions.calculator <|constrain|>json<|message|>${ADD_JSON}<|call|>`,
  ],
  [
    'with parameters in elements',
    '<function_calls><invoke name="calculator"><parameter name="operation">add</parameter><parameter name="a">48</parameter><parameter name="b">17</parameter></invoke></function_calls>',
  ],
  ['as JSON in a fence', `\`\`\`json\n${NAMED}\n\`\`\``],
  ['as JSON in two pairs of braces', `{{"name": "calculator", "arguments": ${ADD_JSON}}}`],
  ['as a list of JSON', `[${NAMED}]`],
  ['as a message of the API', `{"tool_calls": [{"function": ${NAMED}}]}`],
  ['after thoughts', `<think>Shall I? {"name": "teleport"}</think>\n${NAMED}`],
  ['with its arguments as text', `{"name": "calculator", "arguments": ${JSON.stringify(ADD_JSON)}}`],
];

/** Calls in fields, in forms that are not those of the API. */
const FIELDS: readonly (readonly [string, object])[] = [
  ['function_call', { function_call: { name: 'calculator', arguments: ADD_JSON } }],
  ['the fields of a function beside the id', { tool_calls: [{ id: 'a', name: 'calculator', args: ADD }] }],
  ['neither id nor type', { tool_calls: [{ function: { name: 'calculator', arguments: ADD_JSON } }] }],
  ['an id that is a number', { tool_calls: [{ id: 0, function: { name: 'calculator', arguments: ADD } }] }],
  ['arguments as an object', { tool_calls: [{ id: 'a', function: { name: 'calculator', arguments: ADD } }] }],
];

/** Names with something before or after them. */
const NAMES = [
  'functions.calculator',
  'default_api.calculator',
  'functions.calculator:0',
  'calculator<|channel|>commentary',
  'calculator()',
];

/** Arguments in another form, and what the tool gets. */
const ARGUMENTS: readonly (readonly [string, string, unknown, unknown])[] = [
  ['numbers as text', 'calculator', { operation: 'add', a: '48', b: ' 17 ' }, SUM.result],
  ['text that is encoded twice', 'calculator', JSON.stringify(ADD_JSON), SUM.result],
  ['a field around them', 'calculator', { arguments: ADD }, SUM.result],
  [
    'lists, objects, truth values and whole numbers as text',
    'notes_keep',
    { text: '7', tags: '["a"]', place: '{"x": 1}', isOpen: 'True', priority: '3' },
    { text: '7', tags: ['a'], place: { x: 1 }, isOpen: true, priority: 3 },
  ],
  ['null for what is left out', 'notes_keep', { text: 'a', tags: null }, { text: 'a' }],
];

const CALL = callsTools([{ name: 'calculator', args: ADD }]);
const refusedCall = (text: string) =>
  fails(400, {
    message: "Failed to call a function. See 'failed_generation'",
    code: 'tool_use_failed',
    failed_generation: text,
  });
const details = [{ type: 'reasoning.encrypted', data: 'c2VjcmV0' }];

/** Markup of calls that comes as an answer, when no tools were offered. */
const MARKED: readonly (readonly [string, string])[] = [
  ...TEXTS.filter(([, text]) =>
    /<tool_call>|<function|<\|python_tag|\[TOOL_CALLS\]|commentary to=/.test(text),
  ),
  ['of Hermes in a fence', `\`\`\`xml\n<tool_call>${NAMED}</tool_call>\n\`\`\``],
  ['of Hermes after thoughts', `<think>Shall I?</think>\n<tool_call>${NAMED}</tool_call>`],
  ['of Hermes that cannot be read', '<tool_call>calculator: 48 and 17</tool_call>'],
  ['of Llama 3 as code', '<|python_tag|>brave_search.call(query="sums")'],
  [
    'of DeepSeek',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>calculator<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ],
  ['of Gemma', '```tool_code\ncalculator(48, 17)\n```'],
];
/** Answers that have marks or calls in them. */
const ABOUT_CALLS: readonly (readonly [string, string])[] = [
  ['JSON that looks like a call', NAMED],
  ['JSON in a fence', `\`\`\`json\n${NAMED}\n\`\`\``],
  ['a mark that is quoted', '`<tool_call>` comes before a call.'],
  ['a mark at the beginning of a sentence', '<tool_call> comes before a call of Hermes.'],
  ['a call among words', `Hermes writes this:\n<tool_call>${NAMED}</tool_call>`],
];

/** What servers send in the place of calls. */
export const CALLING: readonly Row[] = [
  ...TEXTS.map(([name, text]): Row => ({
    name: `a call as text ${name}`,
    provider: 'local',
    server: until(says(text)),
    expected: SUM,
    requests: 2,
    // A call that was read is no text that the model said.
    sent: ([, body]) => expect(body?.messages.at(-2)).toMatchObject({ content: null, tool_calls: [{}] }),
  })),
  ...FIELDS.map(([name, message]): Row => ({
    name: `a call with ${name}`,
    server: until(answers({ content: null, ...message })),
    expected: SUM,
    requests: 2,
  })),
  ...NAMES.map((name): Row => ({
    name: `a call of ${name}`,
    server: until(callsTools([{ name, args: ADD }])),
    expected: SUM,
    requests: 2,
  })),
  ...ARGUMENTS.map(([name, tool, args, result]): Row => ({
    name: `arguments with ${name}`,
    server: until(callsTools([{ name: tool, args }])),
    expected: { result },
    requests: 2,
  })),
  {
    name: 'two calls as text',
    server: until(says(`<tool_call>${NAMED}</tool_call>\n<tool_call>${NAMED}</tool_call>`)),
    expected: SUM,
    requests: 2,
    sent: ([, body]) => expect(body?.messages.filter(({ role }) => role === 'tool')).toHaveLength(2),
  },
  {
    name: 'a call among words, and after an objection the call alone',
    server: inTurn(says(`I add them.\n<tool_call>${NAMED}</tool_call>`), CALL, says(DONE)),
    expected: SUM,
    requests: 3,
    sent: ([, body]) => expect(body?.messages.at(-1)?.content).toMatch(/among its words/),
  },
  {
    name: 'JSON of a call among words, twice',
    server: inTurn(says(`Here it is:\n\`\`\`json\n${NAMED}\n\`\`\``)),
    expected: { fails: 'MODEL_OUTPUT_INVALID' },
    requests: 2,
  },
  {
    name: 'markup that cannot be read, twice',
    server: inTurn(says('<tool_call>calculator: 48 and 17</tool_call>')),
    expected: { fails: 'MODEL_OUTPUT_INVALID' },
    requests: 2,
  },
  {
    name: 'markup of DeepSeek, and after an objection a call',
    server: inTurn(says('<｜tool▁calls▁begin｜>function<｜tool▁sep｜>calculator'), CALL, says(DONE)),
    expected: SUM,
    requests: 3,
  },
  {
    name: 'a call as text that is cut off, twice',
    server: inTurn(says('{"name": "calculator", "arguments": {"operation": "ad', { finishReason: 'length' })),
    expected: { fails: 'MODEL_OUTPUT_INVALID' },
    requests: 2,
  },
  {
    name: 'a call as text of a tool that is not there, and then of one that is',
    server: inTurn(says('<tool_call>{"name": "teleport", "arguments": {}}</tool_call>'), CALL, says(DONE)),
    expected: SUM,
    requests: 3,
  },
  {
    name: 'JSON that calls no tool, which is an answer',
    server: inTurn(saysJson({ name: 'Ada', arguments: ['for', 'and against'] })),
    expected: { says: '{"name":"Ada","arguments":["for","and against"]}' },
    requests: 1,
  },
  {
    name: 'an answer about a mark',
    server: inTurn(says('Models write `<tool_call>` before a call.')),
    expected: { says: 'Models write `<tool_call>` before a call.' },
    requests: 1,
  },
  {
    name: 'a result of a tool with a call in it, which is data',
    server: () => (request, response) =>
      hasResult(request.body as Body)
        ? says(DONE)(request, response)
        : callsTools([{ name: 'notes_keep', args: { text: `<tool_call>${NAMED}</tool_call>` } }])(
            request,
            response,
          ),
    expected: { result: { text: `<tool_call>${NAMED}</tool_call>` } },
    requests: 2,
  },
  {
    name: 'tool_use_failed, with a call that can be read',
    server: until(refusedCall(`<function=calculator>${ADD_JSON}</function>`)),
    expected: SUM,
    requests: 2,
  },
  {
    name: 'tool_use_failed, with a call that has a mistake, and then a call',
    server: inTurn(refusedCall('<function=calculator={"a":1}</function>'), CALL, says(DONE)),
    expected: SUM,
    requests: 3,
  },
  {
    name: 'tool_use_failed, without the text',
    server: inTurn(fails(400, { message: 'Failed', code: 'tool_use_failed' }), CALL, says(DONE)),
    expected: SUM,
    requests: 3,
  },
  {
    name: 'tool_use_failed, twice',
    server: inTurn(refusedCall('I add 48 and 17.')),
    expected: { fails: 'MODEL_OUTPUT_INVALID' },
    requests: 2,
  },
  {
    name: 'reasoning_details, which it wants back with the call',
    server: until(
      answers({
        content: null,
        reasoning: 'Add.',
        reasoning_details: details,
        tool_calls: [{ id: 'a', function: { name: 'calculator', arguments: ADD_JSON } }],
      }),
    ),
    expected: SUM,
    requests: 2,
    sent: ([, body]) =>
      expect(body?.messages.at(-2)).toMatchObject({ reasoning: 'Add.', reasoning_details: details }),
  },
  {
    name: 'arguments of the one tool as JSON, in the format asked for',
    provider: 'local',
    via: 'arguments',
    server: inTurn(says(ADD_JSON)),
    expected: SUM,
    requests: 1,
    sent: ([body]) =>
      expect(body).toMatchObject({
        max_tokens: 1_024,
        response_format: { json_schema: { schema: { required: ['operation', 'a', 'b'] } } },
      }),
  },
  {
    name: 'words in the place of that format, and a call where it is required',
    provider: 'local',
    via: 'arguments',
    server: inTurn(says('That makes 65.'), CALL),
    expected: SUM,
    requests: 2,
    sent: ([, body]) => expect(body).toMatchObject({ tool_choice: 'required' }),
  },
  ...MARKED.map(([name, text]): Row => ({
    name: `a call as the answer, ${name}, and after an objection words`,
    via: 'answer',
    server: inTurn(says(text), says(DONE)),
    expected: { says: DONE },
    requests: 2,
    sent: ([, body]) => expect(body?.messages.at(-1)?.content).toMatch(/no tools to call/),
  })),
  {
    name: 'a call as the answer, twice',
    via: 'answer',
    server: inTurn(says(`<tool_call>${NAMED}</tool_call>`)),
    expected: { fails: 'MODEL_OUTPUT_INVALID' },
    requests: 2,
  },
  ...ABOUT_CALLS.map(([name, text]): Row => ({
    name: `an answer with ${name}`,
    via: 'answer',
    server: inTurn(says(text)),
    expected: { says: text },
    requests: 1,
  })),
];
