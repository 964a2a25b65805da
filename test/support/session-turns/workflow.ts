import { proxyActivities } from '@temporalio/workflow';
import type { EarlierTurn } from '../../../src/contracts/runs/turns';
import { afterEarlierTurns } from '../../../workflows/turns/session-order';

export interface ScriptedInput {
  readonly sequence: string;
  readonly message: string;
  readonly after?: EarlierTurn;
}

/** What a scripted turn does, by the test that holds it. */
export interface ScriptedSteps {
  beInTurn(sequence: string): Promise<void>;
}

/** A turn in the line of its session, whose work is what the test does with it. */
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
