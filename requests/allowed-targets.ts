import type { Config } from '../src/settings/config';
import type { AllowedTargets } from '../src/contracts/allowed-targets';
import type { AllowOption } from './request-options';

export type AllowedTargetSettings = Pick<Config, 'PLANNER_ALLOW_HOSTS' | 'PLANNER_ALLOW_FILES'>;

/** Merges the targets that the settings and the request allow for calls of a planner. */
export function mergeAllowedTargets(
  { PLANNER_ALLOW_HOSTS, PLANNER_ALLOW_FILES }: AllowedTargetSettings,
  { hosts = [], files = [], tools }: NonNullable<AllowOption> = {},
): AllowedTargets {
  return {
    hosts: [...PLANNER_ALLOW_HOSTS, ...hosts],
    files: [...PLANNER_ALLOW_FILES, ...files],
    tools,
  };
}
