import type { CallerTool } from '../../src/contracts/http/caller-tools';
import { fitDetail } from '../../src/contracts/json';
import { summariseCall } from '../../src/contracts/runs/summaries';
import type { ToolCall } from '../../src/contracts/runs/tools';
import type { Approvals } from '../steps/approvals';
import { createFailure } from '../steps/failures';

/** What the caller gave for a call. */
export interface CallerOutput {
  readonly output: unknown;
  /** Milliseconds, the wait for the caller. */
  readonly executionTime: number;
}

/** The calls of tools that the caller of a run runs. The run waits for each output as it waits for an approval. */
export class CallerCalls {
  readonly #approvals: Approvals;
  readonly #tools: ReadonlyMap<string, CallerTool>;

  constructor(tools: readonly CallerTool[] = [], approvals: Approvals) {
    this.#approvals = approvals;
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  has(toolName: string): boolean {
    return this.#tools.has(toolName);
  }

  /**
   * Waits for the output of a call.
   * @throws ApplicationFailure `TOOL_EXECUTION_FAILED`, with `ToolFailureDetails`, if the caller reports a failure or sends no output in
   *   time; the run's cancellation
   */
  async ask({ toolName, args }: ToolCall, step: string): Promise<CallerOutput> {
    const started = Date.now();
    const { status, output, comment } = await this.#approvals.askForOutput({ toolName, args }, step);
    if (status === 'approved') return { output: output ?? null, executionTime: Date.now() - started };
    const reason =
      status === 'expired' ? 'the caller sent no output in time' : (comment ?? 'the caller gave no reason');
    const message = `The call gave no output: ${reason} (${summariseCall({ toolName, args })})`;
    throw createFailure('TOOL_EXECUTION_FAILED', message, { toolName, args: fitDetail(args) });
  }
}
