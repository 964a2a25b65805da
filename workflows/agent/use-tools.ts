import type { PlanningBackground } from '../../src/contracts/runs/agent';
import { usesTools } from '../../src/contracts/intent-types';
import { describeMemories, fillFromMemory } from './planning-input';
import type { UnderstoodTurn, WorkedTurn } from './state';
import { NO_BACKGROUND, runTurnTools } from './turn-tools';

/**
 * Runs the tools that the query needs, where it needs any.
 * @throws what `runTurnTools` throws
 */
export async function useTools(turn: UnderstoodTurn): Promise<WorkedTurn> {
  const { input, choice, classification, recalled } = turn;
  const { type } = classification.intent;
  if (!usesTools(type)) return turn;
  let { filled } = turn;
  const tools = await runTurnTools(
    { ...input, choice },
    {
      query: filled?.query ?? input.query,
      background: await backgroundOf(turn),
      // A model finds the values in the background; rules that plan in its stead have to be given them.
      async queryOfRules() {
        if (filled === undefined && type === 'hybrid') filled = await fillFromMemory(input.query, recalled);
        return filled?.query ?? input.query;
      },
    },
  );
  return { ...turn, filled, tools };
}

/** What a model that plans is told of memory. Rules read the query alone. */
async function backgroundOf({ choice, recalled }: UnderstoodTurn): Promise<PlanningBackground> {
  return choice.provider === 'builtin' ? NO_BACKGROUND : describeMemories(recalled);
}
