import type { BytesInFlight } from '../../src/base/async/bytes-in-flight';
import { messageOf } from '../../src/base/errors';
import type { Logger } from '../../src/base/logger';
import { ownerOfRun, partOf } from '../../src/contracts/runs/run-owner';
import type { RunEvent, RunSign } from '../../src/contracts/http/run-events';
import type { Engine } from '../engine';
import type { ToRunData } from '../runs/run-lookup';
import type { StartedRun } from '../runs/started-run';
import { hideInEvents } from './hide-in-events';
import { LiveMessages } from './live-messages';
import { PendingSteps } from './pending-steps';
import { readLog, toLogError } from './read-log';
import { RunLog } from './run-log';
import type { Hiding } from '../payloads/large-values';

const LOOK_EVERY_MS = 1_000;
/** A model begins to speak soon after its step was scheduled, and its first heartbeat says where it is heard. */
const LOOK_SOON_MS = [20, 40, 80, 160, 320];
/** The steps whose texts are heard while they are made. */
const SPEAKING_STEPS: ReadonlySet<string> = new Set(['answerTurn', 'generate']);

export interface FeedPorts {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly toData: ToRunData;
  /** Strikes out the credentials of what callers see of a run. */
  readonly redactor: Hiding;
  readonly inFlight: BytesInFlight;
}

/** One who follows a run. */
export interface Follower {
  /** Called when events were added, or when the log has ended. */
  readonly wake: () => void;
  /** @param at how many events the log has when the sign is given */
  sign(sign: RunSign, at: number): void;
}

/**
 * Reads the log of one run for all who follow it in this process, so that any number of them costs the server one request
 * that waits.
 */
export class RunFeed {
  /** The whole log so far. */
  readonly events: RunEvent[] = [];
  readonly followers = new Set<Follower>();
  readonly #log: RunLog;
  readonly #stopped = new AbortController();
  readonly #taken: (() => void)[] = [];
  readonly #messages: LiveMessages;
  readonly #pending: PendingSteps;
  #looksSoon = 0;
  #isOver = false;
  #failure: Error | undefined;
  #looking: NodeJS.Timeout | undefined;

  constructor(
    private readonly ports: FeedPorts,
    private readonly run: StartedRun,
  ) {
    this.#log = new RunLog(run);
    const { engine, redactor, logger } = ports;
    this.#messages = new LiveMessages({
      runId: run.runId,
      redactor,
      logger,
      give: (sign) => this.#give(sign),
      signal: this.#stopped.signal,
    });
    this.#pending = new PendingSteps(engine, run, this.#messages);
    void this.#read();
    this.#scheduleLook();
  }

  /** Whether the log has ended, or cannot be read any further. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Why the log cannot be read any further; undefined if the run has ended. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Adds a follower, which is given what open steps have said so far. */
  join(follower: Follower): void {
    this.followers.add(follower);
    for (const sign of this.#messages.whole()) follower.sign(sign, this.events.length);
  }

  /** Stops reading, when no reader follows any more. */
  stop(): void {
    this.#stopped.abort();
    clearTimeout(this.#looking);
  }

  /** Gives back the room of a large result, when no reader has the log any more. */
  giveBack(): void {
    for (const giveBack of this.#taken.splice(0)) giveBack();
  }

  async #admit(bytes: number): Promise<void> {
    const { signal } = this.#stopped;
    const part = partOf(ownerOfRun(this.run.workflowId));
    const giveBack = await this.ports.inFlight.take({ ...part, bytes, signal });
    if (this.followers.size === 0) giveBack();
    else this.#taken.push(giveBack);
  }

  async #read(): Promise<void> {
    const { signal } = this.#stopped;
    try {
      const { engine, toData, redactor } = this.ports;
      const admit = (bytes: number): Promise<void> => this.#admit(bytes);
      const options = { toData, admit, follow: true, signal };
      for await (const page of readLog(engine, this.run, this.#log, options)) {
        this.events.push(...hideInEvents(page, redactor));
        this.#noteSteps(page);
        // A request that waited in vain is no news, after which a silence would begin again.
        if (page.length > 0) this.#wakeAll();
      }
    } catch (error) {
      const failure = toLogError(error, this.ports.engine, this.run);
      this.#failure = failure instanceof Error ? failure : new Error(messageOf(failure));
    }
    this.#isOver = true;
    this.stop();
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const follower of this.followers) follower.wake();
  }

  #noteSteps(page: readonly RunEvent[]): void {
    for (const { type, step } of page) {
      if (step === undefined) continue;
      if (type === 'step.scheduled') {
        if (SPEAKING_STEPS.has(step.name)) this.#lookSoon();
      } else this.#messages.end(step.id);
    }
  }

  #lookSoon(): void {
    this.#looksSoon = LOOK_SOON_MS.length;
    this.#scheduleLook();
  }

  #scheduleLook(): void {
    clearTimeout(this.#looking);
    if (this.#stopped.signal.aborted) return;
    const soon = this.#looksSoon === 0 ? undefined : LOOK_SOON_MS.at(-this.#looksSoon);
    this.#looksSoon = Math.max(0, this.#looksSoon - 1);
    this.#looking = setTimeout(
      () => void this.#look().finally(() => this.#scheduleLook()),
      soon ?? LOOK_EVERY_MS,
    );
  }

  async #look(): Promise<void> {
    try {
      const signs = await this.#pending.look(() => this.#log.openSteps);
      for (const sign of signs) this.#give(this.ports.redactor.value(sign));
    } catch (error) {
      this.ports.logger.debug(
        { reason: messageOf(error) },
        'the pending steps of a run could not be looked at',
      );
    }
  }

  #give(sign: RunSign): void {
    for (const follower of this.followers) follower.sign(sign, this.events.length);
  }
}
