import type { ApplicationFailure } from '@temporalio/common';
import type { ChatMessage, TokenUsage } from '../../src/contracts/http/llm';
import type { ToolOutcome } from '../../src/contracts/http/conversations';
import type { ToolFailureDetails } from '../../src/contracts/runs/tools';
import { addUsage, NO_USAGE } from '../../src/contracts/runs/token-usage';
import type { Plan, PlannedCall, PlannedRunError } from '../../src/contracts/runs/workflows';
import { MAX_CONVERSATION_LENGTH } from '../../src/contracts/workflow-limits';
import { ResultAllowance } from '../steps/result-allowance';
import { noteTools } from '../steps/tool-attributes';

const INSTRUCTIONS =
  'You reach the goal of the user by calling the tools that are offered. Call a tool whenever it can give what is ' +
  'asked for; never make up its result. Use results of earlier calls as arguments of later ones. When a call fails, ' +
  'try another way once. When the goal is reached, say so in one sentence without calling anything.';

/** A tool failed, and there was no way around it. */
export class PlannedToolFailure extends Error {
  override readonly name = 'PlannedToolFailure';
  constructor(
    readonly failure: ApplicationFailure,
    /** Which tool call, from 1. */
    readonly stepNumber: number,
    readonly details: ToolFailureDetails,
  ) {
    super(failure.message);
  }
}

/** What a planned run has come to so far. */
export class Conversation {
  readonly messages: ChatMessage[];
  readonly chosen = new Set<string>();
  readonly order: string[] = [];
  readonly results: Record<string, unknown> = {};
  readonly errors: PlannedRunError[] = [];
  /** Every call that was made, in order. */
  readonly outcomes: ToolOutcome[] = [];
  usage: TokenUsage = NO_USAGE;
  /** How long the planner's latest answer took, milliseconds. */
  answerTime = 0;
  last: unknown = null;
  /** Number of the latest tool call, from 1, those included that were planned and then left. */
  calls = 0;
  lastFailure: PlannedToolFailure | undefined;

  /** @param background what a planner may use beside the query, each a message before it */
  constructor(query: string, background: readonly ChatMessage[] = []) {
    this.messages = [
      { role: 'system', content: INSTRUCTIONS },
      ...background,
      { role: 'user', content: query },
    ];
  }

  /** Each name once: an attribute that says nothing new is an event for nothing. */
  noteChosen(names: readonly string[]): void {
    const before = this.chosen.size;
    for (const name of names) this.chosen.add(name);
    if (this.chosen.size > before) noteTools('HoldfastTools', [...this.chosen]);
  }

  noteAnswer({ content, calls, usage }: Plan, time: number): void {
    this.answerTime = time;
    this.usage = addUsage(this.usage, usage);
    const toolRequests = calls.map(({ id, call }) => ({ id, toolName: call.toolName, args: call.args }));
    this.messages.push({ role: 'assistant', content, ...(calls.length > 0 ? { toolRequests } : {}) });
  }

  private readonly kept = new ResultAllowance(MAX_CONVERSATION_LENGTH);

  /** @throws RunTooLargeError */
  noteResult({ id, call: { toolName, args } }: PlannedCall, output: unknown, executionTime: number): void {
    this.kept.take(output);
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

  /** Every call has to be answered, also one that was not made. */
  noteUnrun(requestId: string): void {
    const content = 'Not run, because a call before it failed';
    this.messages.push({ role: 'tool', requestId, content, failed: true });
  }
}

/** A tool that runs again is kept as `name_2`, `name_3`, …: no result hides another. */
function freeName(taken: Readonly<Record<string, unknown>>, toolName: string): string {
  let name = toolName;
  for (let n = 2; Object.hasOwn(taken, name); n += 1) name = `${toolName}_${n}`;
  return name;
}
