import { randomUUID } from 'node:crypto';
import type { RequestedTurn, TurnRuns } from '../../../requests/turn-runs';
import { isHoldfastError, messageOf } from '../../../src/base/errors';
import { readRunState } from '../../../temporal/runs/run-state';
import { createRequestContext } from '../request-context';
import { waitFor } from '../wait';
import { createTestApi, MAX_WAITING, type Taken } from './api';
import type { Command } from './commands';
import type { StartFault } from './fault-client';
import type { Bodies, TurnStage } from './stage';
import { answer, rival, type Turn } from './turn';

/**
 * How far the clock of one API is behind, ms. Turns of this API that are never started are given up at once, so that
 * no test waits for that.
 */
const BEHIND_MS = 90_000;
const PATIENCE_MS = 120_000;

interface SentRequest {
  readonly turn: () => Turn | undefined;
  /** The expected answer, given the state of its turn. */
  readonly expected: (turn: Turn) => string;
  readonly outcome: Promise<string>;
}

interface SendOptions {
  readonly api: TurnRuns;
  readonly message: string;
  readonly key?: string;
  readonly fault?: StartFault;
  readonly expected?: SentRequest['expected'];
  /** A run with this key may exist with another message. */
  readonly isRival?: boolean;
}

/**
 * Runs a sequence of commands in a new session, and checks after each whether turns overlap, overtake each other,
 * begin twice or not at all, and whether a turn is refused although the line has room.
 * @returns the problems, each with the commands before it
 */
export async function runSequence(stage: TurnStage, commands: readonly Command[]): Promise<string[]> {
  const sequence = createSequence(stage);
  stage.sequences.set(sequence.name, sequence);
  try {
    for (const command of commands) await sequence.run(command);
    await sequence.end();
  } catch (error) {
    sequence.problem(messageOf(error));
  } finally {
    stage.sequences.delete(sequence.name);
    await sequence.clear();
  }
  return sequence.problems;
}

function createSequence(stage: TurnStage) {
  const name = randomUUID();
  const log: string[] = [];
  const problems: string[] = [];
  const turns = new Map<string, Turn>();
  const requests: SentRequest[] = [];
  const faults = new Map<string, StartFault>();
  /** The places of the line, in the order in which they were taken. */
  const order = new Map<string, number>();
  const knownPlaces = new Set<string>();
  const listeners = new Set<(taken: Taken) => boolean>();
  /** Turns that no request is going to start. */
  const lost = new Set<string>();
  let atWork: { readonly turn: Turn; readonly end: () => void } | undefined;
  /** Ends the work of each turn, so that the worker can stop. */
  const ends: (() => void)[] = [];
  let lastBegun = -1;
  let messages = 0;

  const problem = (what: string): void => void problems.push(`${what}\n  after: ${log.join('; ')}`);
  const short = (workflowId: string): string => workflowId.slice(workflowId.lastIndexOf('/') + 1).slice(-12);

  function noteTaken(taken: Taken): void {
    const { workflowId, place } = taken;
    const id = `${workflowId}@${place?.placedAt}`;
    if (place !== undefined && !knownPlaces.has(id)) {
      knownPlaces.add(id);
      order.set(workflowId, order.size === 0 ? 0 : Math.max(...order.values()) + 1);
    }
    for (const listener of listeners) if (listener(taken)) listeners.delete(listener);
  }

  const createApi = (now: () => number): TurnRuns =>
    createTestApi({
      stage,
      now,
      name,
      onTaken: noteTaken,
      faults,
      onStarted({ workflowId }) {
        const turn = turns.get(workflowId);
        if (turn !== undefined) turn.isStarted = true;
      },
      onLost: (workflowId) => void lost.add(workflowId),
    });
  const apis = [createApi(Date.now), createApi(Date.now)];
  const behind = createApi(() => Date.now() - BEHIND_MS);
  const apiAt = (at: number): TurnRuns => apis[at] as TurnRuns;

  const live = (): Turn[] =>
    [...turns.values()].filter(({ isStarted, end }) => isStarted && end === undefined);
  const keyed = (isWanted: (turn: Turn) => boolean = () => true): Turn[] =>
    [...turns.values()].filter((turn) => turn.key !== undefined && !turn.hasRivals && isWanted(turn));

  /** The number of open runs of the session now, and the maximum that there may be shortly. */
  async function openRuns(): Promise<{ readonly now: number; readonly soon: number }> {
    const states = await Promise.all(
      [...turns.values()]
        .filter(({ workflowId }) => !lost.has(workflowId))
        .map(({ workflowId }) => readRunState(stage.engine, workflowId)),
    );
    const count = (wanted: string): number => states.filter((state) => state === wanted).length;
    return { now: count('running'), soon: count('running') + count('unknown') };
  }

  /** Sends a request, and waits until it has its place or is answered. */
  async function send({
    api,
    message,
    key,
    fault,
    expected = answer,
    isRival = false,
  }: SendOptions): Promise<void> {
    const openBefore = await openRuns();
    const requestId = randomUUID();
    if (fault !== undefined) faults.set(requestId, fault);
    let turn: Turn | undefined;
    let isFull = false;
    const taken = new Promise<void>((resolve) => {
      listeners.add(({ workflowId, place }) => {
        if (
          key === undefined
            ? turns.has(workflowId) || workflowId.includes('/key-')
            : !workflowId.endsWith(`/key-${key}`)
        )
          return false;
        turn = turns.get(workflowId);
        if (turn === undefined) {
          turn = {
            workflowId,
            message,
            isPlaced: false,
            hasRivals: isRival,
            isStarted: false,
            hasBegun: false,
            ...(key === undefined ? {} : { key }),
          };
          turns.set(workflowId, turn);
        }
        isFull = place === undefined;
        if (!isFull) turn.isPlaced = true;
        if (isFull ? !turn.isPlaced : fault?.type === 'refused') lost.add(workflowId);
        else lost.delete(workflowId);
        resolve();
        return true;
      });
    });
    const requested: RequestedTurn = {
      prefix: 'agent-turn',
      area: 'agent',
      userId: name,
      sessionId: 'session',
      asked: message,
      behindPaused: false,
      prepare: (after) => ({
        workflowType: 'scriptedTurn',
        input: { sequence: name, message, ...(after === undefined ? {} : { after }) },
        summary: message,
      }),
    };
    const context = createRequestContext({ requestId, idempotencyKey: key });
    const outcome = api.take<string>(requested, context).catch((error: unknown) => {
      return isHoldfastError(error) ? error.code : messageOf(error);
    });
    await Promise.race([taken, outcome]);
    log.push(
      `${message}${key === undefined ? '' : ` (${key})`} is ${isFull ? 'refused' : short(turn?.workflowId ?? '?')}`,
    );
    if (isFull && turn?.isStarted !== true) {
      // For an API whose clock is behind, places of runs that are never started are new.
      if (api !== behind && openBefore.soon <= MAX_WAITING)
        problem(`the line was full with ${openBefore.soon} turns`);
      if (turn?.isPlaced !== true && (await storedLine()).includes(`"${turn?.workflowId}"`)) {
        problem('a request that was refused has a place');
      }
      requests.push({ turn: () => turn, expected: () => 'SESSION_BUSY', outcome });
      return;
    }
    requests.push({ turn: () => turn, expected, outcome });
    // A rival request differs only in its answer.
    if (!isRival && fault?.type !== 'refused') await untilStarted(turn, outcome);
    const open = await openRuns();
    if (open.now > MAX_WAITING + 1) problem(`${open.now} turns are in the line`);
  }

  /** Waits until it is known whether there is a run. Other turns may have come in between. */
  async function untilStarted(turn: Turn | undefined, outcome: Promise<string>): Promise<void> {
    let isAnswered = false;
    void outcome.then(() => (isAnswered = true));
    await waitFor(() => turn?.isStarted === true || isAnswered || lost.has(turn?.workflowId ?? ''), {
      what: `the start of ${turn?.workflowId}`,
      timeoutMs: PATIENCE_MS,
    });
  }

  async function storedLine(): Promise<string> {
    return JSON.stringify((await stage.documents.get('session-places', `run-session-${name}`))?.value);
  }

  const nextMessage = (): string => `message ${(messages += 1)}`;
  const newKey = (wanted: boolean): { key?: string } => (wanted ? { key: `k${turns.size}-${messages}` } : {});

  async function finish(): Promise<void> {
    if (live().length === 0) return;
    await waitFor(() => atWork !== undefined || live().length === 0, {
      what: `a turn to begin; ${live()
        .map(({ workflowId }) => short(workflowId))
        .join()} are there`,
      timeoutMs: PATIENCE_MS,
    });
    if (atWork === undefined) return;
    const { turn, end } = atWork;
    log.push(`${short(turn.workflowId)} finishes`);
    atWork = undefined;
    turn.end = 'finished';
    end();
  }

  async function stop(how: 'terminate' | 'cancel', which: number): Promise<void> {
    const turn = live().at(-1 - which);
    if (turn === undefined) return;
    log.push(`${how} ${short(turn.workflowId)}`);
    turn.end = how;
    if (atWork?.turn === turn) atWork = undefined;
    await stage.client.workflow.getHandle(turn.workflowId)[how]();
  }

  const held = (use: (end: () => void) => unknown = () => undefined): Promise<void> =>
    new Promise((end) => {
      ends.push(end);
      use(end);
    });

  const bodies: Bodies = {
    begin(workflowId) {
      const turn = turns.get(workflowId);
      if (turn === undefined) {
        problem(`${workflowId} began without a place`);
        return Promise.resolve();
      }
      // The engine was asked to end it just before it began.
      if (turn.end !== undefined && turn.end !== 'finished') return held();
      log.push(`${short(workflowId)} begins`);
      if (turn.hasBegun) problem(`${short(workflowId)} began twice`);
      if (atWork !== undefined) problem(`${short(workflowId)} began beside ${short(atWork.turn.workflowId)}`);
      const at = order.get(workflowId) ?? -1;
      if (at <= lastBegun) problem(`${short(workflowId)} began after one that came later`);
      lastBegun = at;
      turn.isStarted = true;
      turn.hasBegun = true;
      return held((end) => (atWork = { turn, end }));
    },
  };

  async function run(command: Command): Promise<void> {
    switch (command.type) {
      case 'send':
        return send({ api: apiAt(command.api), message: nextMessage(), ...newKey(command.keyed) });
      case 'repeat': {
        const turn = keyed().at(-1 - command.which);
        if (turn?.key === undefined) return;
        // If the turn was not started, this request may find no place for it.
        const expected = turn.isStarted ? answer : (each: Turn): string => `${answer(each)} | SESSION_BUSY`;
        return send({ api: apiAt(command.api), message: turn.message, key: turn.key, expected });
      }
      case 'conflict': {
        const turn = keyed(({ isStarted }) => isStarted).at(-1 - command.which);
        if (turn?.key === undefined) return;
        return send({
          api: apiAt(command.api),
          message: nextMessage(),
          key: turn.key,
          expected: () => 'RUN_CONFLICT',
        });
      }
      case 'twins': {
        const message = nextMessage();
        const { key = '' } = newKey(true);
        const other = command.sameMessage ? message : nextMessage();
        const expected = command.sameMessage ? answer : rival(message, other);
        await Promise.all(
          [message, other].map((each, at) =>
            send({ api: apiAt(at), message: each, key, expected, isRival: true }),
          ),
        );
        const turn = [...turns.values()].find((each) => each.key === key);
        return untilStarted(turn, new Promise(() => undefined));
      }
      case 'refused start':
        return send({
          api: apiAt(command.api),
          message: nextMessage(),
          ...newKey(command.keyed),
          fault: { type: 'refused', code: command.code },
          expected: () => command.code,
        });
      case 'unknown start':
      case 'killed API':
        return send({
          api: command.isStarted ? apiAt(0) : behind,
          message: nextMessage(),
          ...newKey(command.keyed),
          fault: { type: command.type === 'killed API' ? 'killed' : 'unknown', isStarted: command.isStarted },
          expected: () => (command.type === 'killed API' ? 'no answer' : 'ENGINE_UNAVAILABLE'),
        });
      case 'terminate':
      case 'cancel':
        return stop(command.type, command.which);
      case 'finish':
        return finish();
    }
  }

  /** Lets all turns end, and checks the answers and the remaining places. */
  async function end(): Promise<void> {
    while (live().length > 0) await finish();
    log.push('the last one');
    await send({ api: apiAt(0), message: nextMessage() });
    await finish();
    for (const { turn, expected, outcome } of requests) {
      const wanted = expected(turn() as Turn);
      if (wanted === 'no answer') continue;
      const got = await Promise.race([outcome, late()]);
      if (!wanted.split(' | ').includes(got)) {
        problem(
          `${turn()?.message} (${short(turn()?.workflowId ?? '?')}) was answered "${got}", not "${wanted}"`,
        );
      }
    }
    await waitFor(async () => (await openRuns()).now === 0, { what: 'the last runs to close' });
    await waitFor(async () => (await storedLine()).includes('"over":true'), { what: 'the line to be empty' });
  }

  async function clear(): Promise<void> {
    for (const end of ends) end();
    for (const { workflowId } of turns.values()) {
      await stage.client.workflow
        .getHandle(workflowId)
        .terminate()
        .catch(() => undefined);
    }
  }

  return { ...bodies, name, problems, problem, run, end, clear };
}

function late(): Promise<string> {
  return new Promise((resolve) => setTimeout(() => resolve('nothing'), PATIENCE_MS).unref());
}
