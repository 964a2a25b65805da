import { callsTools, says, saysParts } from '../model-server';
import { ADD, answers, type Body, DONE, inTurn, type Row, SUM, until } from './row';

const TEXTS: readonly (readonly [string, string])[] = [
  ['between marks', `<think>\nThey greet.\n</think>\n\n${DONE}`],
  ['before a mark that the template has opened', `The user greets me.\n</think>\n\n${DONE}`],
  ['between the marks of Mistral', `[THINK]They greet.[/THINK]${DONE}`],
  [
    'in a channel',
    `<|channel|>analysis<|message|>They greet.<|end|><|start|>assistant<|channel|>final<|message|>${DONE}`,
  ],
];

/** Where servers have what a model thinks. */
export const THINKING: readonly Row[] = [
  ...(['plan', 'answer'] as const).flatMap((via) =>
    TEXTS.map(([name, text]): Row => ({
      name: `thoughts ${name}: ${via}`,
      via,
      server: inTurn(says(text)),
      expected: { says: DONE },
      requests: 1,
    })),
  ),
  {
    name: 'thoughts in parts of the content',
    via: 'answer',
    server: inTurn(
      saysParts([
        { type: 'thinking', thinking: 'They greet.' },
        { type: 'text', text: DONE },
      ]),
    ),
    expected: { says: DONE },
    requests: 1,
  },
  {
    name: 'thoughts in a field, which it wants back with the call',
    server: until(
      answers({
        content: '',
        reasoning_content: 'Add them.',
        tool_calls: [{ id: 'a', function: { name: 'calculator', arguments: JSON.stringify(ADD) } }],
      }),
    ),
    expected: SUM,
    requests: 2,
    sent: ([, body]) => expect(body?.messages.at(-2)).toMatchObject({ reasoning_content: 'Add them.' }),
  },
  {
    name: 'thoughts that take all of the room, and then a call in a larger one',
    server: () => (request, response) => {
      const room = (request.body as Body).max_completion_tokens ?? Infinity;
      const answer =
        room <= 1_024
          ? answers({ content: '' }, { finish_reason: 'length' })
          : until(callsTools([{ name: 'calculator', args: ADD }]))();
      return answer(request, response);
    },
    expected: SUM,
    requests: 3,
    sent: (bodies) => expect(bodies.map((body) => body.max_completion_tokens)).toEqual([1_024, 4_096, 4_096]),
  },
  {
    name: 'thoughts that take any room',
    server: inTurn(answers({ content: '<think>Hmm' }, { finish_reason: 'length' })),
    expected: { fails: 'MODEL_OUTPUT_INVALID' },
    requests: 2,
  },
];
