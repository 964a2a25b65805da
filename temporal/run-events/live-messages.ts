import { messageOf } from '../../src/base/errors';
import type { Logger } from '../../src/base/logger';
import type { RunSign, RunStepName } from '../../src/contracts/http/run-events';
import type { LiveText } from '../../src/contracts/runs/outputs';
import { readLiveText } from '../../src/live-text/read-live-text';
import type { Hiding } from '../payloads/large-values';
import { serverClock } from '../server-clock';

/**
 * A credential is recognized only when enough of it is there. So the last word is held back, up to this many characters, until it
 * ends.
 */
const MAX_HELD_BACK = 64;
/** An address may have a password before its host, which is known by the @ behind it. */
const ADDRESS = /[\x21-\x7e]*:\/\/[^\s/@]*$/;
const MAX_ADDRESS = 1_000;

export interface LiveMessagesPorts {
  readonly runId: string;
  readonly redactor: Hiding;
  readonly logger: Logger;
  /** Called with a sign when a model has said more. */
  readonly give: (sign: RunSign) => void;
  readonly signal: AbortSignal;
  /** Default `readLiveText`. */
  readonly read?: typeof readLiveText;
}

/** What an attempt of a step has said. */
interface Message {
  readonly step: RunStepName;
  /** The text so far; undefined if only a part of it is known. */
  text: string | undefined;
  /** What followers were given of it, without credentials. */
  shown: string;
  /** Where the part ends that is known by heartbeats, in UTF-16 code units. */
  heard: number;
  /** Whether the worker is read, which knows more than its heartbeats. */
  isRead: boolean;
  readonly addressesTried: Set<string>;
  readonly stopped: AbortController;
}

/**
 * Turns what models say into signs. The text comes from the worker that makes it, within a tenth of a second, if this process
 * reaches that worker; else the end of it comes with the worker's heartbeats, about once a second.
 */
export class LiveMessages {
  readonly #messages = new Map<string, Message>();

  constructor(private readonly ports: LiveMessagesPorts) {}

  /** Takes the text in a heartbeat of an attempt. */
  hear(step: RunStepName, { attempt, offset, text, at }: LiveText): void {
    // The server keeps the last heartbeat of an attempt for the next one.
    if (attempt !== step.attempt) return;
    const message = this.#messageOf(step);
    if (at !== undefined && !message.addressesTried.has(at)) void this.#read(message, at);
    if (message.isRead) return;
    if (message.text !== undefined && offset <= message.text.length) {
      this.#say(message, message.text.slice(0, offset) + text);
      return;
    }
    const from = Math.max(offset, message.heard);
    const piece = text.slice(from - offset);
    if (piece === '') return;
    message.text = undefined;
    message.heard = from + piece.length;
    this.#give(step, from, this.ports.redactor.value(piece));
  }

  /** Forgets a step that has ended. Its event has the whole text. */
  end(stepId: string): void {
    this.#messages.get(stepId)?.stopped.abort();
    this.#messages.delete(stepId);
  }

  /** @returns a sign with all that each open step has said, for one who begins to follow */
  whole(): RunSign[] {
    return [...this.#messages.values()].flatMap(({ step, text, shown }) =>
      text === undefined || shown === '' ? [] : [this.#sign(step, 0, shown)],
    );
  }

  #messageOf(step: RunStepName): Message {
    const known = this.#messages.get(step.id);
    if (known?.step.attempt === step.attempt) return known;
    known?.stopped.abort();
    const message: Message = {
      step,
      text: '',
      shown: '',
      heard: 0,
      isRead: false,
      addressesTried: new Set(),
      stopped: new AbortController(),
    };
    this.#messages.set(step.id, message);
    return message;
  }

  async #read(message: Message, address: string): Promise<void> {
    const { read = readLiveText, signal, logger } = this.ports;
    message.addressesTried.add(address);
    try {
      const stopped = AbortSignal.any([signal, message.stopped.signal]);
      const onText = (soFar: string): void => {
        message.isRead = true;
        this.#say(message, soFar);
      };
      await read(address, onText, stopped);
    } catch (error) {
      if (!signal.aborted && !message.stopped.signal.aborted)
        logger.debug({ reason: messageOf(error) }, 'a worker could not be read, so its heartbeats are');
    } finally {
      message.isRead = false;
    }
  }

  /** @param soFar the whole text so far */
  #say(message: Message, soFar: string): void {
    const { step, shown: before } = message;
    message.text = soFar;
    message.heard = soFar.length;
    // From a credential on, and if it was begun again, a text is given whole at the end of its step.
    const shown = commonBeginning(withoutLastWord(soFar), this.ports.redactor.value(soFar));
    if (shown.length <= before.length || !shown.startsWith(before)) return;
    message.shown = shown;
    this.#give(step, before.length, shown.slice(before.length));
  }

  #give(step: RunStepName, offset: number, text: string): void {
    this.ports.give(this.#sign(step, offset, text));
  }

  #sign(step: RunStepName, offset: number, text: string): RunSign {
    const time = new Date(serverClock.now()).toISOString();
    return { type: 'message.delta', runId: this.ports.runId, time, step, offset, text };
  }
}

function withoutLastWord(text: string): string {
  const [word = ''] = /[\x21-\x7e]+$/.exec(text.slice(-MAX_HELD_BACK)) ?? [];
  const [address = word] = ADDRESS.exec(text.slice(-MAX_ADDRESS)) ?? [];
  return text.slice(0, text.length - address.length);
}

function commonBeginning(one: string, other: string): string {
  if (other.startsWith(one)) return one;
  let length = 0;
  while (one[length] === other[length]) length += 1;
  return one.slice(0, length);
}
