import { toAgentAnswer } from './agent-answer';
import { toSelfTestReport } from './self-test-report';
import { toChatAnswer } from './chat-answer';
import { toErasureAnswer } from './erasure-answer';
import type { ToRunData } from '../../temporal/runs/run-lookup';
import type * as workflows from '../../workflows';

/** Turns the result of any run of the service into the `data` of the response that waits for the run. */
export const toRunData = createToRunData({
  agentSelfTest: (result) => toSelfTestReport(result),
  agentTurn: async (result, readInput) => toAgentAnswer(result, await readInput()),
  eraseUserMemories: (result) => toErasureAnswer(result),
  memoryChatTurn: (result) => toChatAnswer(result),
});

type Workflows = typeof workflows;

/**
 * Functions that turn the result of a run into the `data` of the response that waits for the run, by workflow type. The
 * route of an area uses the same function. A type is absent if `data` is the result itself.
 */
type RunDataMappings = {
  readonly [Type in keyof Workflows]?: (
    result: Awaited<ReturnType<Workflows[Type]>>,
    readInput: () => Promise<Parameters<Workflows[Type]>[0]>,
  ) => unknown;
};

/** Joins the mappings of all areas, for runs whose type is known only at run time. */
function createToRunData(mappings: RunDataMappings): ToRunData {
  // A run of a type has the result and the input of this type, which the compiler cannot see.
  const byType = new Map(Object.entries(mappings)) as ReadonlyMap<string, (...run: unknown[]) => unknown>;
  return async (type, result, readInput) => {
    const toData = byType.get(type);
    if (toData === undefined) return result;
    try {
      return await toData(result, readInput);
    } catch (error) {
      // A run of an earlier build may have a result of another form, and is to be found nevertheless.
      if (error instanceof TypeError) return result;
      throw error;
    }
  };
}
