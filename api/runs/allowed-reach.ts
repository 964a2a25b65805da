import type { Config } from '../../src/settings/config';
import type { AllowedTargets } from '../../src/contracts/allowed-targets';
import type { AllowOption } from '../http/allow-option';

export type ReachSettings = Pick<Config, 'PLANNER_ALLOW_HOSTS' | 'PLANNER_ALLOW_FILES'>;

/** What the planned calls of a run may reach by the settings and by its request together. */
export function allowedReach(
  { PLANNER_ALLOW_HOSTS, PLANNER_ALLOW_FILES }: ReachSettings,
  { hosts = [], files = [] }: NonNullable<AllowOption> = {},
): AllowedTargets {
  return { hosts: [...PLANNER_ALLOW_HOSTS, ...hosts], files: [...PLANNER_ALLOW_FILES, ...files] };
}
