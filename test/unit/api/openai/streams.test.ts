import type { AnswerPiece } from '../../../../api/openai/answer-text';
import { chatChunks } from '../../../../api/openai/chat-chunks';
import type { Approval } from '../../../../src/contracts/http/approvals';
import { responseEvents } from '../../../../api/openai/response-events';
import { noteOf } from '../../../../api/openai/response-object';
import type { SentItem } from '../../../../api/openai/server-sent';
import type { Answer } from '../../../../api/openai/turn';

/** What is looked at in a chunk or an event. */
interface Sent {
  readonly choices?: readonly { readonly delta: { readonly content?: string } }[];
  readonly delta?: string;
  readonly sequence_number?: number;
}

const base = { runId: 'r', time: '2026-01-01T00:00:00Z', sequence: 9 };
const COMPLETED: AnswerPiece = { type: 'end', end: { ...base, type: 'run.completed' } };
const FAILED: AnswerPiece = {
  type: 'end',
  end: { ...base, type: 'run.failed', error: { code: 'MODEL_UNAVAILABLE', message: 'It is away' } },
};
const says = (text: string): AnswerPiece => ({ type: 'text', text });
const answerOf = (text: string, isByRules = false): Answer => ({
  text,
  usage: { promptTokens: 1, completionTokens: 2 },
  isCut: false,
  isByRules,
});

async function* give(pieces: readonly AnswerPiece[]): AsyncGenerator<AnswerPiece> {
  yield* pieces;
}

async function collect(items: AsyncIterable<SentItem>): Promise<Sent[]> {
  const collected: SentItem[] = [];
  for await (const item of items) collected.push(item);
  return collected as Sent[];
}

const chunksOf = (pieces: readonly AnswerPiece[], answer: Answer) =>
  collect(
    chatChunks(give(pieces), {
      head: { id: 'chatcmpl-r', created: 1, model: 'holdfast' },
      includeUsage: false,
      answer: () => answer,
      calls: () => Promise.resolve([]),
      describe: () => 'It waits.',
    }),
  );
const textsOf = (chunks: Sent[]): string =>
  chunks.map((chunk) => chunk.choices?.[0]?.delta.content ?? '').join('');

const note = noteOf(
  {
    model: 'holdfast',
    messages: [],
    stream: true,
    background: false,
    answers: [],
    callerTools: [],
    withoutTools: false,
    mustCall: false,
    tool_choice: 'auto',
  },
  { isLive: true },
);
/** @param known whether the answer is known from the beginning, as that of the rules is */
const eventsOf = (pieces: readonly AnswerPiece[], answer: Answer | undefined, after = -1) =>
  collect(
    responseEvents(give(pieces), {
      part: { runId: 'r', part: 1 },
      note,
      after,
      answer: () => answer,
      handOver: ({ id }) =>
        Promise.resolve({
          type: 'mcp_approval_request',
          id,
          server_label: 'holdfast',
          name: 'raise_budget',
          arguments: '{}',
        }),
    }),
  );
const deltasOf = (events: Sent[]): string[] => events.flatMap(({ delta }) => delta ?? []);

describe('chunks of Chat Completions', () => {
  test('an answer that is begun again follows an empty line', async () => {
    const chunks = await chunksOf(
      [says('Once '), { type: 'restart' }, says('It was.'), COMPLETED],
      answerOf('It was.'),
    );
    expect(textsOf(chunks)).toBe('Once \n\nIt was.');
    expect(chunks.slice(-2)).toEqual([
      expect.objectContaining({ object: 'chat.completion.chunk' }),
      '[DONE]',
    ]);
  });

  test('a run that fails ends with an error', async () => {
    const chunks = await chunksOf([says('Once '), FAILED], answerOf(''));
    expect(chunks.at(-1)).toEqual({
      error: { message: 'It is away', type: 'server_error', param: null, code: 'MODEL_UNAVAILABLE' },
    });
  });
});

describe('events of a response', () => {
  test('are the same however the text comes', async () => {
    const text = 'Once upon a time, it was told.\n\nThe end. ';
    const whole = await eventsOf([says(text), COMPLETED], answerOf(text));
    for (const at of [1, 5, 9, 17, 31]) {
      const pieces = [says(text.slice(0, at)), says(text.slice(at)), COMPLETED];
      expect(await eventsOf(pieces, answerOf(text))).toEqual(whole);
    }
    expect(deltasOf(whole).join('')).toBe(text);
    expect(whole.map(({ sequence_number: number }) => number)).toEqual(whole.map((_, index) => index));
    expect(await eventsOf([says(text), COMPLETED], answerOf(text), 6)).toEqual(whole.slice(7));
  });

  test('of the rules are sentences', async () => {
    const text = 'Hello! I am here.';
    expect(deltasOf(await eventsOf([says(text), COMPLETED], answerOf(text, true)))).toEqual([
      'Hello! ',
      'I am here.',
    ]);
  });

  test('end the text that a question cuts off, and then hand the question over', async () => {
    const asks: AnswerPiece = { type: 'waiting', approval: { id: 'q' } as Approval };
    const events = await eventsOf([says('Once upon a '), { type: 'restart' }, asks], undefined);
    expect(events.slice(-6)).toMatchObject([
      { type: 'response.output_text.done', text: 'Once upon a' },
      { type: 'response.content_part.done' },
      { type: 'response.output_item.done', output_index: 0, item: { status: 'incomplete' } },
      { type: 'response.output_item.added', output_index: 1, item: { id: 'q' } },
      { type: 'response.output_item.done', output_index: 1 },
      { type: 'response.completed' },
    ]);
    // Once the question is answered, the text before it cannot be made again; what follows has numbers after those that were sent.
    const [added] = await eventsOf([asks], undefined, 7);
    expect(added).toMatchObject({
      type: 'response.output_item.added',
      sequence_number: 8,
      item: { id: 'q' },
    });
    const whole = await eventsOf([asks], undefined);
    expect(await eventsOf([asks], undefined, whole.length - 1)).toEqual([]);
  });

  test('end with an error if the answer is begun again, and with the failure of the run', async () => {
    const restarted = await eventsOf([says('Once upon '), { type: 'restart' }, says('Twice')], undefined);
    expect(restarted.at(-1)).toMatchObject({ type: 'error', code: 'answer_restarted' });
    const failed = await eventsOf([FAILED], undefined, 20);
    expect(failed).toEqual([
      expect.objectContaining({
        type: 'response.failed',
        sequence_number: 21,
        response: expect.objectContaining({
          status: 'failed',
          error: { code: 'server_error', message: 'MODEL_UNAVAILABLE: It is away' },
        }),
      }),
    ]);
  });
});
