import type { Logger } from '../../base/logger';
import type { Config } from '../../settings/config';
import { selectChatModels } from './find-model-server';
import { createKnownServer } from './known-server';
import { DEFAULT_LOCAL_MODEL, OPENAI_URL } from '../../contracts/constants';

/** A log line names up to this number of models. */
const MAX_NAMED = 5;

type Configured = 'hosted' | 'local';

/**
 * Says in one log line for each configured provider where it is, which model it uses, and whether its server lists that.
 * @returns settings with the model of a local server that has a single one, if the operator has named none
 */
export async function checkModels(config: Config, logger: Logger): Promise<Config> {
  const [, only] = await Promise.all([
    config.OPENAI_API_KEY === undefined ? undefined : checkProvider('hosted', config, logger),
    config.LOCAL_LLM_BASE_URL === undefined ? undefined : checkProvider('local', config, logger),
  ]);
  return only === undefined ? config : Object.freeze({ ...config, LOCAL_LLM_MODEL: only });
}

/** @returns the only model of a local server, if that is to be used */
async function checkProvider(
  provider: Configured,
  config: Config,
  logger: Logger,
): Promise<string | undefined> {
  const { baseUrl, apiKey, named, setting } = serverOf(provider, config);
  const server = createKnownServer({ baseUrl, apiKey, onlyLists: provider === 'hosted' });
  const { models } = await server.about(named);
  const chat = selectChatModels(models ?? []);
  const [first, ...others] = chat;
  const isLone = provider === 'local' && others.length === 0 && !isNamed(config);
  const only = isLone && first !== undefined && first !== named ? first : undefined;
  const model = only ?? named;
  const about = { provider, address: withoutCredentials(baseUrl), model };
  if (models === undefined) {
    logger.warn(about, `the model server "${provider}" does not answer GET /v1/models`);
  } else if (chat.some((id) => id === model || id === `${model}:latest`)) {
    logger.info(about, `the model server "${provider}" answers and has the model "${model}"`);
  } else {
    const more = chat.length > MAX_NAMED ? ` and ${chat.length - MAX_NAMED} more` : '';
    const has = chat.length === 0 ? 'no model' : `${chat.slice(0, MAX_NAMED).join(', ')}${more}`;
    logger.warn(about, `the model server "${provider}" does not list "${model}" (${setting}); it has ${has}`);
  }
  return only;
}

function serverOf(provider: Configured, config: Config) {
  return provider === 'hosted'
    ? {
        baseUrl: config.OPENAI_BASE_URL ?? OPENAI_URL,
        apiKey: config.OPENAI_API_KEY?.trim(),
        named: config.OPENAI_MODEL,
        setting: 'OPENAI_MODEL',
      }
    : {
        baseUrl: config.LOCAL_LLM_BASE_URL ?? '',
        apiKey: config.LOCAL_LLM_API_KEY?.trim(),
        named: config.LOCAL_LLM_MODEL,
        setting: 'LOCAL_LLM_MODEL',
      };
}

/** Whether the operator has named the local model, or the service has found one. */
function isNamed({ environment, LOCAL_LLM_MODEL }: Config): boolean {
  return environment['LOCAL_LLM_MODEL'] !== undefined || LOCAL_LLM_MODEL !== DEFAULT_LOCAL_MODEL;
}

/** The address as a log may have it. */
function withoutCredentials(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}
