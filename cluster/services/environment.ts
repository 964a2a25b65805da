import { join } from 'node:path';
import type { Config } from '../../src/settings/config';
import { loadKey } from '../../src/secrets/load-key';
import { serviceLogLevel } from './service-log';

/** The namespace on the cluster's own engine. Another engine's is for its settings and its profile to say. */
export const ownNamespace = ({ TEMPORAL_NAMESPACE }: Pick<Config, 'TEMPORAL_NAMESPACE'>): string =>
  TEMPORAL_NAMESPACE ?? 'default';

/**
 * What every service of the cluster is told: the settings of this process, and what follows from them here and would not
 * there, as their logs are read and they share one folder and its key.
 *
 * @param engine the cluster's own; undefined where the settings name another
 */
export async function servicesEnvironment(
  config: Config,
  engine: { readonly address: string; readonly uiUrl: string | undefined } | undefined,
  neo4j: NodeJS.ProcessEnv,
): Promise<NodeJS.ProcessEnv> {
  const key = await loadKey({ setting: config.SECRETS_KEY, file: join(config.DATA_DIR, 'secrets.key') });
  const uiUrl = config.TEMPORAL_UI_URL ?? engine?.uiUrl;
  return {
    ...config.environment,
    SECRETS_KEY: key.toString('hex'),
    LOG_FORMAT: 'json',
    LOG_LEVEL: serviceLogLevel(config),
    DATA_DIR: config.DATA_DIR,
    GRAPH_STORE: 'neo4j',
    ...neo4j,
    ...(engine === undefined
      ? {}
      : { TEMPORAL_ADDRESS: engine.address, TEMPORAL_NAMESPACE: ownNamespace(config) }),
    ...(uiUrl === undefined ? {} : { TEMPORAL_UI_URL: uiUrl }),
  };
}
