import type { SessionName } from '../contracts/http/conversations';
import type { SharedLimit } from '../contracts/runs/budgets';
import { pseudonymOfSession, RUN_USER, type Pseudonyms } from '../secrets/pseudonyms';
import type { Config } from '../settings/config';

export type SharedLimitSettings = Pick<
  Config,
  | 'BUDGET_PERIOD'
  | 'BUDGET_USER_MAX_TOKENS'
  | 'BUDGET_USER_MAX_COST_USD'
  | 'BUDGET_SESSION_MAX_TOKENS'
  | 'BUDGET_SESSION_MAX_COST_USD'
>;

/** The limits that a model call shares with the others of its user and its session; empty if the settings have none. Pure. */
export function sharedLimits(
  settings: SharedLimitSettings,
  pseudonyms: Pseudonyms,
  turn: SessionName,
): SharedLimit[] {
  const user = pseudonyms(RUN_USER, turn.userId);
  const { BUDGET_PERIOD: period } = settings;
  const limits: SharedLimit[] = [
    {
      user,
      period,
      maxTokens: settings.BUDGET_USER_MAX_TOKENS,
      maxCostUsd: settings.BUDGET_USER_MAX_COST_USD,
    },
    {
      user,
      session: pseudonymOfSession(pseudonyms, turn),
      period,
      maxTokens: settings.BUDGET_SESSION_MAX_TOKENS,
      maxCostUsd: settings.BUDGET_SESSION_MAX_COST_USD,
    },
  ];
  return limits.filter(({ maxTokens, maxCostUsd }) => maxTokens !== undefined || maxCostUsd !== undefined);
}
