import type { ApplicationFailure } from '@temporalio/common';
import type { ChatMessage, TokenUsage } from '../../src/contracts/http/llm';
import type { TurnFile } from '../../src/contracts/http/files';
import { FILES_RULE } from '../../src/contracts/runs/files';
import type { Degradation, ToolOutcome } from '../../src/contracts/http/conversations';
import type { FirstOutcome } from '../../src/contracts/runs/repeated-calls';
import type { ToolFailureDetails } from '../../src/contracts/runs/tools';
import { describeInstructions } from '../../src/contracts/caller-instructions';
import { addUsage, NO_USAGE } from '../../src/contracts/runs/token-usage';
import type { Plan, PlannedCall, PlannerLoopError } from '../../src/contracts/runs/workflows';
import { MAX_TRANSCRIPT_LENGTH } from '../../src/contracts/workflow-limits';
import { ResultAllowance } from '../steps/result-allowance';
import { noteTools } from '../steps/run-attributes';

const INSTRUCTIONS =
  'You reach the goal of the user by calling the tools that are offered. Call a tool whenever it can give what is ' +
  'asked for; never make up its result. Use results of earlier calls as arguments of later ones. When a call fails, ' +
  'try another way once. When the goal is reached, say so in one sentence without calling anything.';

const ALREADY_MADE =
  'This call was made before in this turn, with the same arguments, and was not made again. Its outcome is below. Do not ' +
  'call it again: go on, or say that the goal is reached.';

/** A tool of a planner loop failed, and the planner could not reach the goal otherwise. */
export class PlannedToolFailure extends Error {
  override readonly name = 'PlannedToolFailure';
  constructor(
    readonly failure: ApplicationFailure,
    /** Number of the tool call, from 1. */
    readonly stepNumber: number,
    readonly details: ToolFailureDetails,
  ) {
    super(failure.message);
  }
}

/** Records a planner loop: the messages between planner and tools, and the calls with their outcomes. */
export class Transcript {
  readonly messages: ChatMessage[];
  readonly chosen = new Set<string>();
  readonly order: string[] = [];
  readonly results: Record<string, unknown> = {};
  readonly errors: PlannerLoopError[] = [];
  /** The outcome of every call that was made, in order. */
  readonly outcomes: ToolOutcome[] = [];
  usage: TokenUsage = NO_USAGE;
  /** What the planner's latest plan had to do without. */
  degraded: readonly Degradation[] = [];
  /** How long the planner's latest response took, milliseconds. */
  answerTime = 0;
  /** Whether the planner's latest response was cut off at its maximum length. */
  isAnswerCut = false;
  last: unknown = null;
  /** How many plans there were. */
  plans = 0;
  /** Number of the latest tool call, from 1; skipped calls are counted too. */
  calls = 0;
  lastFailure: PlannedToolFailure | undefined;

  /**
   * @param background messages before the query that the planner may use, such as memories
   * @param instructions as in `TurnInput`
   * @param files what the user has sent with the query, which each plan gets besides the messages; absent: nothing
   */
  constructor(
    query: string,
    background: readonly ChatMessage[] = [],
    instructions?: string,
    readonly files?: readonly TurnFile[],
  ) {
    this.messages = [
      { role: 'system', content: INSTRUCTIONS },
      ...(files === undefined ? [] : [{ role: 'system' as const, content: FILES_RULE }]),
      ...background,
      // The model reads one system message, in which the caller has the last word.
      ...(instructions === undefined
        ? []
        : [{ role: 'system' as const, content: describeInstructions(instructions) }]),
      { role: 'user', content: query },
    ];
  }

  /** Adds names of chosen tools to the run's search attribute; without a new name it adds no event to the history. */
  noteChosen(names: readonly string[]): void {
    const before = this.chosen.size;
    for (const name of names) this.chosen.add(name);
    if (this.chosen.size > before) noteTools('HoldfastTools', [...this.chosen]);
  }

  noteUsage(usage: TokenUsage): void {
    this.usage = addUsage(this.usage, usage);
  }

  readonly #kept = new ResultAllowance(MAX_TRANSCRIPT_LENGTH);
  readonly #said = new ResultAllowance(MAX_TRANSCRIPT_LENGTH, "texts of the run's model");

  /** @throws RunTooLargeError */
  noteAnswer(
    { content, calls, thoughts, extra: returned, finishReason, usage, degraded = [] }: Plan,
    time: number,
  ): void {
    this.answerTime = time;
    this.isAnswerCut = finishReason === 'length';
    this.plans += 1;
    this.degraded = degraded;
    this.noteUsage(usage);
    const toolRequests = calls.map(({ id, call: { toolName, args }, extra }) => ({
      id,
      toolName,
      args,
      extra,
    }));
    const message: ChatMessage = {
      role: 'assistant',
      content,
      ...(calls.length > 0 ? { toolRequests } : {}),
      ...(calls.length > 0 && thoughts !== undefined ? { thoughts } : {}),
      ...(calls.length > 0 && returned !== undefined ? { extra: returned } : {}),
    };
    this.#said.take(message);
    this.messages.push(message);
  }

  /** @throws RunTooLargeError */
  noteResult({ id, call: { toolName, args } }: PlannedCall, output: unknown, executionTime: number): void {
    this.#kept.take(output);
    this.outcomes.push({ toolName, args, success: true, result: output, executionTime });
    this.order.push(toolName);
    this.results[freeName(this.results, toolName)] = output;
    this.last = output;
    this.lastFailure = undefined;
    this.messages.push({ role: 'tool', requestId: id, content: output });
  }

  noteFailure(
    { id, call: { toolName, args } }: PlannedCall,
    planned: PlannedToolFailure,
    executionTime: number,
  ): void {
    const { stepNumber, failure, message } = planned;
    this.outcomes.push({ toolName, args, success: false, error: message, executionTime });
    this.lastFailure = planned;
    this.errors.push({ stepNumber, toolName, code: failure.type ?? 'INTERNAL', error: message });
    this.messages.push({ role: 'tool', requestId: id, content: message, failed: true });
  }

  /**
   * The messages when the planner's last one is empty. It gets a text, because servers refuse an empty message, and some a
   * user's message that follows another one of the user.
   */
  get messagesAfterSilence(): ChatMessage[] {
    return [...this.messages.slice(0, -1), { role: 'assistant', content: '(no text)' }];
  }

  /** Shows the planner a call as it was approved, so that it does not take the arguments for its own. */
  noteApproved({ id, call: { args } }: PlannedCall): void {
    const planMessage = this.messages.findLast(({ role }) => role === 'assistant');
    if (planMessage?.role !== 'assistant' || planMessage.toolRequests === undefined) return;
    const toolRequests = planMessage.toolRequests.map((request) =>
      request.id === id ? { ...request, args } : request,
    );
    this.messages[this.messages.lastIndexOf(planMessage)] = { ...planMessage, toolRequests };
  }

  /** Answers a call that repeats one which was made already, with the outcome of that. @throws RunTooLargeError */
  noteRepeat(requestId: string, first: FirstOutcome): void {
    const note = ALREADY_MADE;
    const content = 'error' in first ? { note, error: first.error } : { note, result: first.output };
    this.#kept.take(content);
    this.messages.push({
      role: 'tool',
      requestId,
      content,
      failed: 'error' in first ? true : undefined,
    });
  }

  /** Answers a call that was not made, because providers reject a transcript in which a call has no answer. */
  noteUnrun(requestId: string, reason: string): void {
    const content = `Not run, because ${reason}`;
    this.messages.push({ role: 'tool', requestId, content, failed: true });
  }
}

/**
 * Finds a free key for a tool's result: `name`, then `name_2`, `name_3` and so on, so that no result replaces another.
 */
function freeName(taken: Readonly<Record<string, unknown>>, toolName: string): string {
  let name = toolName;
  for (let n = 2; Object.hasOwn(taken, name); n += 1) name = `${toolName}_${n}`;
  return name;
}
