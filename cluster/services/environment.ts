import { join } from 'node:path';
import type { Config } from '../../src/settings/config';
import { loadKey } from '../../src/secrets/load-key';
import { serviceLogLevel } from './service-log';

/** The namespace on the cluster's own engine. For another engine the settings or its profile name the namespace. */
export const ownNamespace = ({ TEMPORAL_NAMESPACE }: Pick<Config, 'TEMPORAL_NAMESPACE'>): string =>
  TEMPORAL_NAMESPACE ?? 'default';

/** How Temporal's SDK connects to the server of TEMPORAL_ADDRESS, beside its address and namespace. */
const CONNECTION = /^TEMPORAL_(API_KEY$|TLS(_|$)|GRPC_META_)/;

/**
 * Builds the environment of every service of the cluster: the settings of this process, and those that the cluster
 * sets itself. It sets the format of the logs, because it reads them, and the key, because the services share one
 * folder. It leaves out TLS and credentials of Temporal if the engine is its own, which has neither.
 *
 * @param engine the cluster's own engine; undefined if the settings name another
 */
export async function buildServicesEnvironment(
  config: Config,
  engine: { readonly address: string; readonly uiUrl: string | undefined } | undefined,
  neo4j: NodeJS.ProcessEnv,
): Promise<NodeJS.ProcessEnv> {
  const key = await loadKey({ setting: config.SECRETS_KEY, file: join(config.DATA_DIR, 'secrets.key') });
  const uiUrl = config.TEMPORAL_UI_URL ?? engine?.uiUrl;
  const given = Object.entries(config.environment).filter(
    ([name]) => engine === undefined || !CONNECTION.test(name),
  );
  return {
    ...Object.fromEntries(given),
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
