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
  const tools = await runTurnTools({ ...input, choice }, turn.budget, {
    query: filled?.query ?? input.query,
    background: await loadBackground(turn),
    // A model finds the values in the background. Rules that plan instead read the query alone, so it is filled in
    // for them.
    async fallbackQuery() {
      if (filled === undefined && type === 'hybrid') filled = await fillFromMemory(input.query, recalled);
      return filled?.query ?? input.query;
    },
  });
  return { ...turn, filled, tools };
}

/** Describes the recalled memories for a model that plans; empty for rules, which read the query alone. */
async function loadBackground({ choice, recalled }: UnderstoodTurn): Promise<PlanningBackground> {
  return choice.provider === 'builtin' ? NO_BACKGROUND : describeMemories(recalled);
}
