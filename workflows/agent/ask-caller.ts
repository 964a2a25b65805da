import {
  CancellationScope,
  condition,
  defineSignal,
  getExternalWorkflowHandle,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { type CalledBy } from '../../src/contracts/runs/agent-calls';
import {
  ANSWER_SIGNAL,
  type AnswerToCall,
  ASK_SIGNAL,
  type AskedByCall,
} from '../../src/contracts/runs/called-turns';
import type { ApprovalOutcome } from '../../src/contracts/runs/approvals';
import type { AskElsewhere } from '../steps/approvals';

const askSignal = defineSignal<[AskedByCall]>(ASK_SIGNAL);
const answerSignal = defineSignal<[AnswerToCall]>(ANSWER_SIGNAL);

/** Creates the way in which a turn that another turn has called asks for approvals: that turn asks, and brings the answer. */
export function askByCaller({ workflowId: callerId }: CalledBy): AskElsewhere {
  const outcomes = new Map<string, ApprovalOutcome>();
  setHandler(answerSignal, ({ step, outcome }) => void outcomes.set(step, outcome));
  return async (question) => {
    const { workflowId } = workflowInfo();
    const caller = getExternalWorkflowHandle(callerId);
    await caller.signal(askSignal, { workflowId, question });
    try {
      await condition(() => outcomes.has(question.step));
    } catch (error) {
      const withdrawal = { workflowId, question, isWithdrawn: true } as const;
      await CancellationScope.nonCancellable(() => caller.signal(askSignal, withdrawal)).catch(
        () => undefined,
      );
      throw error;
    }
    return outcomes.get(question.step) as ApprovalOutcome;
  };
}
