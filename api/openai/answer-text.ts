import { HoldfastError } from '../../src/base/errors';
import type { Approval } from '../../src/contracts/http/approvals';
import { isRunEnd, type RunEvent, type RunSign } from '../../src/contracts/http/run-events';
import type { RunFeeds } from '../../temporal/run-events/run-feeds';
import type { StartedRun } from '../../temporal/runs/started-run';
import { SILENCE_MS } from '../http/event-stream';

/** A piece of what a run says to its caller. */
export type AnswerPiece =
  /** What follows the pieces before it. */
  | { readonly type: 'text'; readonly text: string }
  /** What was said does not hold, since the answer was begun again: what follows begins it. */
  | { readonly type: 'restart' }
  /** The run waits, for a person or for the output of a call of the caller. */
  | { readonly type: 'waiting'; readonly approval: Approval }
  /** Nothing was said for a while. */
  | { readonly type: 'silence' }
  /** The last piece. The answer of a completed run was said as a whole before it. */
  | { readonly type: 'end'; readonly end: RunEvent };

/** Follows what a run says, from its beginning. It ends without an end only if the signal aborts. */
export type FollowAnswer = (run: StartedRun, signal: AbortSignal) => AsyncGenerator<AnswerPiece, void>;

/** The step whose text is the answer of a turn. What a model says while it chooses tools is no answer. */
const ANSWER_STEP = 'answerTurn';

/**
 * Follows the answer of a run by the events of the run and by the live text of its model.
 * @param isLive whether the text of its model is the answer as it will be
 * @param readText reads the whole answer from the last event of a completed run
 */
export function followByEvents(
  feeds: Pick<RunFeeds, 'follow'>,
  isLive: boolean,
  readText: (end: RunEvent) => Promise<string>,
): FollowAnswer {
  return async function* (run, signal) {
    const saidText = new SaidText();
    for await (const item of feeds.follow(run, { after: 0, silenceMs: SILENCE_MS, signal })) {
      if (item === undefined) yield { type: 'silence' };
      else if (item.type === 'approval.requested' && 'approval' in item && item.approval !== undefined) {
        // The model is asked again after a question, if it was cut off by one.
        yield* saidText.forget();
        yield { type: 'waiting', approval: item.approval };
      } else if (isLive && isAnswer(item)) yield* saidText.hear(item);
      else if ('sequence' in item && isRunEnd(item)) {
        if (item.type === 'run.completed') yield* saidText.complete(await readText(item));
        yield { type: 'end', end: item };
      }
    }
  };
}

function isAnswer(item: RunEvent | RunSign): boolean {
  // What rules say is known as a whole, at the end.
  if ('provider' in item && item.provider === 'builtin') return false;
  return item.step?.name === ANSWER_STEP && (item.type === 'message.delta' || item.type === 'step.completed');
}

/** What was said of an answer. */
class SaidText {
  #said = '';
  /** The text of the attempt that speaks, as far as it was heard without a gap. */
  #heard = { attempt: 0, text: '' };

  /** Says what a model has added to what was said. What does not follow that waits for the end. */
  *hear({ step, text = '', ...item }: RunEvent | RunSign): Generator<AnswerPiece> {
    const attempt = step?.attempt ?? 1;
    const offset = 'offset' in item ? (item.offset ?? 0) : 0;
    if (attempt !== this.#heard.attempt) this.#heard = { attempt, text: '' };
    if (item.type === 'step.completed') this.#heard.text = text;
    else if (offset > this.#heard.text.length) return;
    else this.#heard.text = this.#heard.text.slice(0, offset) + text;
    if (this.#heard.text.startsWith(this.#said)) yield* this.#say(this.#heard.text);
  }

  /** Says the rest of an answer. */
  *complete(text: string): Generator<AnswerPiece> {
    if (!text.startsWith(this.#said)) yield* this.forget();
    yield* this.#say(text);
  }

  /** What follows begins the answer. */
  *forget(): Generator<AnswerPiece> {
    this.#heard = { attempt: 0, text: '' };
    if (this.#said === '') return;
    this.#said = '';
    yield { type: 'restart' };
  }

  *#say(text: string): Generator<AnswerPiece> {
    const more = text.slice(this.#said.length);
    this.#said = text;
    if (more !== '') yield { type: 'text', text: more };
  }
}

/**
 * Leaves out what a run said up to a question that its caller knows.
 * @param isLast whether it is that question, by its number from 1
 * @returns the number of the question
 * @throws HoldfastError the reason of the signal
 */
export async function passQuestions(
  pieces: AsyncGenerator<AnswerPiece, void>,
  isLast: (approval: Approval, number: number) => boolean,
  signal: AbortSignal,
): Promise<number> {
  let number = 0;
  // A loop over the pieces would end them.
  for (;;) {
    const { value: piece } = await pieces.next();
    if (piece === undefined || piece.type === 'end') {
      signal.throwIfAborted();
      throw new HoldfastError('INTERNAL', 'The events of a run lack a question');
    }
    if (piece.type !== 'waiting') continue;
    number += 1;
    if (isLast(piece.approval, number)) return number;
  }
}

/**
 * Waits until a run hands something over to its caller: a question, or its end.
 * @throws HoldfastError the reason of the signal
 */
export async function untilHandedOver(
  pieces: AsyncIterable<AnswerPiece>,
  signal: AbortSignal,
): Promise<Extract<AnswerPiece, { readonly type: 'waiting' | 'end' }>> {
  for await (const piece of pieces) if (piece.type === 'waiting' || piece.type === 'end') return piece;
  signal.throwIfAborted();
  throw new HoldfastError('INTERNAL', 'The events of a run have no end');
}
