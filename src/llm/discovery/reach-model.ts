import type { Logger } from '../../base/logger';
import type { Config } from '../../settings/config';
import { findModelServer, MODEL_SERVER_PORTS } from './find-model-server';

export interface LookOptions {
  readonly logger: Logger;
  /** Whether a person at a terminal would read how to use a model server. */
  readonly atTerminal: boolean;
  /** Default: the usual ports of model servers. */
  readonly ports?: readonly number[];
}

/** A log line names up to this number of models. */
const MAX_NAMED = 5;

/**
 * Looks for a model server on this machine if no model is configured: with LLM_DISCOVER=yes to use it, else, for a service of
 * this machine at a terminal, to say how to use it. Says in one log line what it found.
 * @returns the settings of a service that uses the server, else the given ones
 */
export async function reachModel(
  config: Config,
  { logger, atTerminal, ports = MODEL_SERVER_PORTS }: LookOptions,
): Promise<Config> {
  const isWanted = config.LLM_DISCOVER === 'yes';
  if (hasModel(config) || !(isWanted || (atTerminal && config.loopback))) return config;
  const others = ports.filter((port) => !ownPorts(config).includes(port));
  const server = await findModelServer(others);
  if (server === undefined) {
    if (isWanted)
      logger.warn(`LLM_DISCOVER: no model server answers on this machine at ${others.join(', ')}`);
    return config;
  }
  const { baseUrl, models } = server;
  // The default of LOCAL_LLM_MODEL is the operator's choice only if the environment has it.
  const model = models.find((id) => id === config.environment['LOCAL_LLM_MODEL']) ?? models[0];
  const more = models.length > MAX_NAMED ? ` and ${models.length - MAX_NAMED} more` : '';
  const names = `${models.slice(0, MAX_NAMED).join(', ')}${more}`;
  if (!isWanted) {
    const settings = `LOCAL_LLM_BASE_URL=${baseUrl} LOCAL_LLM_MODEL=${quoteForShell(model)}`;
    logger.info(
      `a model server answers at ${baseUrl} with ${names}; to use it, set ${settings}, or LLM_DISCOVER=yes`,
    );
    return config;
  }
  logger.info(`LLM_DISCOVER: ${model} of the model server at ${baseUrl} is used; it has ${names}`);
  return Object.freeze({
    ...config,
    LOCAL_LLM_BASE_URL: baseUrl,
    LOCAL_LLM_MODEL: model,
    // The server has answered without a key, and the operator has not named this server as the one to get it.
    LOCAL_LLM_API_KEY: undefined,
  });
}

function hasModel({ LLM_PROVIDER, OPENAI_API_KEY, LOCAL_LLM_BASE_URL }: Config): boolean {
  return LLM_PROVIDER !== 'auto' || OPENAI_API_KEY !== undefined || LOCAL_LLM_BASE_URL !== undefined;
}

function ownPorts({ PORT, RECORDS_PORT, TEMPORAL_PORT, TEMPORAL_UI_PORT }: Config): readonly number[] {
  return [PORT, RECORDS_PORT, TEMPORAL_PORT, TEMPORAL_UI_PORT];
}

/** Quotes an id for a shell if it needs it. Ids of found models contain no quotes. */
function quoteForShell(id: string): string {
  return /^[\w./:@+-]+$/.test(id) ? id : `'${id}'`;
}
