import { fitDetail } from '../../src/contracts/json';
import type { PlannedCall, ReusedOutcome } from '../../src/contracts/runs/workflows';
import { denialOf } from '../steps/approvals';
import { createFailure } from '../steps/failures';

/** A call of another run. */
export interface TakenCall {
  /** The call as it was made there. */
  readonly made: PlannedCall;
  /** Whether it was sent there, so that it may have had its effect. */
  readonly isSent: boolean;
  /** @throws ApplicationFailure, as the call failed there */
  result(): { readonly output: unknown; readonly executionTime: number };
}

/** Builds a call of another run with its outcome. Pure. */
export function takeOutcome(planned: PlannedCall, outcome: ReusedOutcome): TakenCall {
  const { args } = outcome;
  const made = args === undefined ? planned : { ...planned, call: { ...planned.call, args } };
  return {
    made,
    isSent: !('denied' in outcome),
    result() {
      if ('output' in outcome) return outcome;
      if ('denied' in outcome) throw denialOf(made.call, outcome.denied);
      const { toolName } = made.call;
      const { code, message, details = { toolName, args: fitDetail(made.call.args) } } = outcome.error;
      throw createFailure(code, message, details);
    },
  };
}
