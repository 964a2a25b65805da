import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import type { AnswerPiece } from './answer-text';
import { cutSentences, cutWords } from './cut-text';
import type { Approval } from '../../src/contracts/http/approvals';
import type { HandedItem } from './handed-over';
import {
  buildResponse,
  endStatus,
  outputMessage,
  type ResponseNote,
  type ResponsePart,
  type ResponseState,
} from './response-object';
import type { SentItem } from './server-sent';
import type { Answer } from './turn';

export interface EventOptions {
  readonly part: ResponsePart;
  readonly note: ResponseNote;
  /** Only events after this one are given; -1 for all. */
  readonly after: number;
  /** The answer, once the run has ended. */
  answer(): Answer | undefined;
  /** Reads what the run asks its caller. */
  handOver(question: Approval): Promise<HandedItem>;
}

/** An event without its number. */
type Unnumbered = ResponseStreamEvent extends infer E
  ? E extends ResponseStreamEvent
    ? Omit<E, 'sequence_number'>
    : never
  : never;

/**
 * Writes what a run says as the events of Responses. They are cut and numbered by the text alone, so that any API process makes the
 * same ones again, whether the run has ended or not.
 */
export async function* responseEvents(
  pieces: AsyncIterable<AnswerPiece>,
  { part: responsePart, note, after, answer, handOver }: EventOptions,
): AsyncGenerator<SentItem> {
  const { runId } = responsePart;
  const place = { item_id: `msg_${runId}`, output_index: 0, content_index: 0 };
  const describe = (state: ResponseState) => buildResponse(responsePart, note, state) as never;
  let number = 0;
  let isOpen = false;
  let isRestarted = false;
  let waiting = '';
  let text = '';

  function* send(event: Unnumbered, isFailure = false): Generator<SentItem> {
    // A failure is always sent: what a run said before it cannot be made again.
    if (isFailure) number = Math.max(number, after + 1);
    if (number > after) yield { ...event, sequence_number: number };
    number += 1;
  }
  function* open(): Generator<SentItem> {
    if (isOpen) return;
    isOpen = true;
    const item = outputMessage(runId, 'in_progress');
    yield* send({ type: 'response.output_item.added', output_index: 0, item });
    const part = { type: 'output_text' as const, text: '', annotations: [], logprobs: [] };
    yield* send({ type: 'response.content_part.added', ...place, part });
  }
  function* say(deltas: readonly string[]): Generator<SentItem> {
    for (const delta of deltas) {
      yield* open();
      text += delta;
      yield* send({ type: 'response.output_text.delta', ...place, delta, logprobs: [] });
    }
  }
  function* complete(whole: Answer): Generator<SentItem> {
    yield* say(waiting === '' ? [] : [waiting]);
    yield* open();
    const status = endStatus(whole);
    const item = outputMessage(runId, status === 'incomplete' ? status : 'completed', text);
    yield* send({ type: 'response.output_text.done', ...place, text, logprobs: [] });
    const part = { type: 'output_text' as const, text, annotations: [], logprobs: [] };
    yield* send({ type: 'response.content_part.done', ...place, part });
    yield* send({ type: 'response.output_item.done', output_index: 0, item });
    const type = status === 'incomplete' ? 'response.incomplete' : 'response.completed';
    yield* send({ type, response: describe({ status, answer: whole }) });
  }

  /** Ends the item of a text that was cut off by a question. */
  function* cutOff(): Generator<SentItem> {
    if (!isOpen) return;
    yield* send({ type: 'response.output_text.done', ...place, text, logprobs: [] });
    const part = { type: 'output_text' as const, text, annotations: [], logprobs: [] };
    yield* send({ type: 'response.content_part.done', ...place, part });
    const item = outputMessage(runId, 'incomplete', text);
    yield* send({ type: 'response.output_item.done', output_index: 0, item });
  }

  function* hand(item: HandedItem): Generator<SentItem> {
    const events = [...handedEvents(item)];
    // A text before the question was sent, and cannot be made again once the question is answered.
    if (after >= number + events.length) number = after + 1;
    for (const event of events) yield* send(event);
  }
  function* handedEvents(item: HandedItem): Generator<Unnumbered> {
    const at = { output_index: isOpen ? 1 : 0 };
    if (item.type === 'function_call') {
      const place = { item_id: item.id ?? '', ...at };
      const { name, arguments: args } = item;
      const begunItem = { ...item, arguments: '', status: 'in_progress' as const };
      yield { type: 'response.output_item.added', ...at, item: begunItem };
      yield { type: 'response.function_call_arguments.delta', ...place, delta: args };
      yield { type: 'response.function_call_arguments.done', ...place, name, arguments: args };
    } else yield { type: 'response.output_item.added', ...at, item };
    yield { type: 'response.output_item.done', ...at, item };
    yield { type: 'response.completed', response: describe({ status: 'completed', handed: item }) };
  }

  const begun = describe({ status: 'in_progress' });
  yield* send({ type: 'response.created', response: begun });
  yield* send({ type: 'response.in_progress', response: begun });
  for await (const piece of pieces) {
    // Only a question may follow what does not hold: the model is asked again once that is answered.
    if (isRestarted && piece.type !== 'waiting') {
      const message = 'The answer was begun again, and differs from what was sent; retrieve the response';
      yield* send({ type: 'error', code: 'answer_restarted', message, param: null }, true);
      return;
    }
    switch (piece.type) {
      case 'text': {
        const whole = answer();
        if (whole?.isByRules === true) {
          yield* say(cutSentences(piece.text));
          break;
        }
        const cut = cutWords(waiting + piece.text);
        waiting = cut.rest;
        yield* say(cut.pieces);
        break;
      }
      case 'restart':
        isRestarted = true;
        break;
      case 'silence':
        yield undefined;
        break;
      case 'waiting': {
        yield* cutOff();
        yield* hand(await handOver(piece.approval));
        return;
      }
      case 'end': {
        const whole = answer();
        if (whole !== undefined) yield* complete(whole);
        else yield* send({ type: 'response.failed', response: describe(failedState(piece.end)) }, true);
        return;
      }
    }
  }
}

/** The state of a response whose run has ended without an answer. Pure. */
export function failedState({
  type,
  error,
}: Pick<Extract<AnswerPiece, { type: 'end' }>['end'], 'type' | 'error'>): ResponseState {
  return type === 'run.cancelled' ? { status: 'cancelled' } : { status: 'failed', error };
}
