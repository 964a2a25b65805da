import { createTurnRuns, type TurnRuns } from '../../../requests/turn-runs';
import type { EarlierTurn } from '../../../src/contracts/runs/turns';
import { createSessionOrder, isRefusal, type SessionOrder } from '../../../src/conversation/session-order';
import { readRunState } from '../../../temporal/runs/run-state';
import { createFaultClient, type FaultClientPorts } from './fault-client';
import type { TurnStage } from './stage';

export const MAX_WAITING = 4;

/** The place of a turn, or that its line was full. */
export interface Taken {
  readonly workflowId: string;
  readonly place: EarlierTurn | undefined;
}

export interface TestApiPorts extends Omit<FaultClientPorts, 'runs'> {
  readonly stage: TurnStage;
  readonly now: () => number;
  /** Names the session. */
  readonly name: string;
  readonly onTaken: (taken: Taken) => void;
}

/** The API's code for turns, with places that a test observes and starts that fail as the test says. */
export function createTestApi({ stage, now, name, onTaken, ...faulty }: TestApiPorts): TurnRuns {
  const places = createSessionOrder({
    documents: stage.documents,
    now,
    maxWaiting: MAX_WAITING,
    runState: (workflowId, placedAt) => readRunState(stage.engine, workflowId, placedAt),
  });
  const noted =
    (taking: SessionOrder['take']): SessionOrder['take'] =>
    async (session, workflowId, options) => {
      const taken = await taking(session, workflowId, options);
      onTaken({ workflowId, place: isRefusal(taken) ? undefined : taken });
      return taken;
    };
  return createTurnRuns({
    client: createFaultClient({ ...faulty, runs: stage.runs }),
    places: { ...places, take: noted(places.take), retake: noted(places.retake) },
    pseudonyms: (purpose) => `${purpose}-${name}`,
    isErasing: () => Promise.resolve(false),
    pendingApprovals: () => Promise.resolve([]),
    now,
  });
}
