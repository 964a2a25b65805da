import { proxyActivities } from '@temporalio/workflow';
import type { EarlierTurn } from '../../../src/contracts/runs/turns';
import { afterEarlierTurns } from '../../../workflows/turns/session-order';

export interface ScriptedInput {
  readonly sequence: string;
  readonly message: string;
  readonly after?: EarlierTurn;
}

/** The work of a scripted turn, which the test that holds it controls. */
export interface ScriptedSteps {
  beInTurn(sequence: string): Promise<void>;
}

/** A turn in the line of its session whose work the test controls. */
export function scriptedTurn({ sequence, message, after }: ScriptedInput): Promise<string> {
  const { beInTurn } = proxyActivities<ScriptedSteps>({
    startToCloseTimeout: '15 minutes',
    retry: { maximumAttempts: 1 },
  });
  return afterEarlierTurns(after, async () => {
    await beInTurn(sequence);
    return `answer to ${message}`;
  });
}
