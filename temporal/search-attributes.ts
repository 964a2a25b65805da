import type { SearchAttributePair } from '@temporalio/common';
import { TypedSearchAttributes } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import type { NativeConnection } from '@temporalio/worker';
import { SEARCH_ATTRIBUTES } from '../src/contracts/search-attributes';
import type { Area } from '../src/contracts/runs';
import { messageOf } from '../src/errors';
import type { Logger } from '../src/logger';

const DEADLINE_MS = 5_000;
const { IndexedValueType } = temporal.api.enums.v1;
const VALUE_TYPES = {
  KEYWORD: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
  KEYWORD_LIST: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD_LIST,
} as const;

/**
 * Makes sure that the custom search attributes exist. An unregistered one would make every start fail, so
 * where registering is not allowed (Temporal Cloud, a server without room) runs go without, and a line says so.
 * @returns whether they may be used
 */
export async function registerSearchAttributes(
  connection: NativeConnection,
  namespace: string,
  logger: Logger,
): Promise<boolean> {
  const within = <T>(call: () => Promise<T>): Promise<T> =>
    connection.withDeadline(Date.now() + DEADLINE_MS, call);
  // Also proves that the server answers: a connection alone does not.
  await within(() => connection.workflowService.describeNamespace({ namespace }));
  try {
    const known = await within(() => connection.operatorService.listSearchAttributes({ namespace }));
    const missing = Object.entries(SEARCH_ATTRIBUTES).filter(
      ([name]) => known.customAttributes[name] === undefined,
    );
    if (missing.length > 0) {
      const searchAttributes = Object.fromEntries(missing.map(([name, type]) => [name, VALUE_TYPES[type]]));
      await within(() => connection.operatorService.addSearchAttributes({ namespace, searchAttributes }));
      logger.info({ names: Object.keys(searchAttributes) }, 'registered search attributes');
    }
    return true;
  } catch (error) {
    logger.warn(
      { reason: messageOf(error) },
      `search attributes could not be registered, so runs cannot be filtered by tool or area; ` +
        `an administrator may add ${Object.keys(SEARCH_ATTRIBUTES).join(', ')}`,
    );
    return false;
  }
}

export interface RunSubject {
  readonly area: Area;
  /** Names of the tools a run uses. */
  readonly tools?: readonly string[];
}

/** What a run can be found by. */
export function searchAttributesOf({ area, tools }: RunSubject): TypedSearchAttributes {
  const pairs: SearchAttributePair[] = [{ key: { name: 'HoldfastArea', type: 'KEYWORD' }, value: area }];
  if (tools !== undefined && tools.length > 0) {
    pairs.push({ key: { name: 'HoldfastTools', type: 'KEYWORD_LIST' }, value: [...new Set(tools)] });
  }
  return new TypedSearchAttributes(pairs);
}
