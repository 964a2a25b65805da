import { isGrpcServiceError } from '@temporalio/client';
import { type SearchAttributePair, TypedSearchAttributes } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import type { NativeConnection } from '@temporalio/worker';
import {
  LATER_ATTRIBUTES,
  SEARCH_ATTRIBUTES,
  type SearchAttribute,
  type WaitingFor,
} from '../src/contracts/runs/search-attributes';
import type { Area } from '../src/contracts/runs/tools';
import { messageOf } from '../src/base/errors';
import type { Logger } from '../src/base/logger';

const DEADLINE_MS = 5_000;
/** gRPC codes: INVALID_ARGUMENT (no room), PERMISSION_DENIED, FAILED_PRECONDITION, UNIMPLEMENTED, UNAUTHENTICATED. */
const REFUSALS = new Set([3, 7, 9, 12, 16]);
const { IndexedValueType } = temporal.api.enums.v1;
const VALUE_TYPES = {
  KEYWORD: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
  KEYWORD_LIST: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD_LIST,
} as const;

/** The part of a connection that registering uses. */
export type Registrar = Pick<NativeConnection, 'withDeadline'> & {
  readonly operatorService: Pick<
    NativeConnection['operatorService'],
    'listSearchAttributes' | 'addSearchAttributes'
  >;
};

/** The custom search attributes that a server has. */
export type KnownAttributes = ReadonlySet<SearchAttribute>;
export const NO_ATTRIBUTES: KnownAttributes = new Set();

const NAMES = Object.keys(SEARCH_ATTRIBUTES) as SearchAttribute[];

/**
 * Registers the custom search attributes that the server lacks. A start with an unregistered one fails, so if
 * registering is not allowed (Temporal Cloud, a server without room), runs start without them and the log says so.
 * @returns those that runs may use: if one of the first attributes is missing, none, because workflows set them
 * together
 * @throws the client's error if another attempt may succeed
 */
export async function registerSearchAttributes(
  connection: Registrar,
  namespace: string,
  logger: Logger,
): Promise<KnownAttributes> {
  let missing: readonly SearchAttribute[] = NAMES;
  try {
    missing = await listMissing(connection, namespace, NAMES);
    const types = Object.fromEntries(missing.map((name) => [name, VALUE_TYPES[SEARCH_ATTRIBUTES[name]]]));
    if (missing.length > 0 && (await addAttributes(connection, namespace, types)))
      logger.info({ names: missing }, 'registered search attributes');
    return new Set(NAMES);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    logger.warn(
      { reason: messageOf(error) },
      `search attributes could not be registered, so runs cannot be filtered by all that they have; ` +
        `an administrator can add ${missing.join(', ')}`,
    );
    if (missing.some((name) => !LATER_ATTRIBUTES.has(name))) return NO_ATTRIBUTES;
    return new Set(NAMES.filter((name) => !missing.includes(name)));
  }
}

/** Lists those of some custom search attributes that a server lacks. @param limitMs of each request @throws the client's error */
export async function listMissing<N extends string>(
  connection: Registrar,
  namespace: string,
  names: readonly N[],
  limitMs = DEADLINE_MS,
): Promise<N[]> {
  const { customAttributes } = await connection.withDeadline(Date.now() + limitMs, () =>
    connection.operatorService.listSearchAttributes({ namespace }),
  );
  return names.filter((name) => customAttributes[name] === undefined);
}

/**
 * Adds custom search attributes to a server.
 * @param limitMs of each request
 * @returns whether it added them; false if another process has added them meanwhile, or only the answer was lost
 * @throws the client's error if they are still missing
 */
export async function addAttributes(
  connection: Registrar,
  namespace: string,
  searchAttributes: Readonly<Record<string, temporal.api.enums.v1.IndexedValueType>>,
  limitMs = DEADLINE_MS,
): Promise<boolean> {
  try {
    await connection.withDeadline(Date.now() + limitMs, () =>
      connection.operatorService.addSearchAttributes({ namespace, searchAttributes }),
    );
    return true;
  } catch (error) {
    if ((await listMissing(connection, namespace, Object.keys(searchAttributes), limitMs)).length > 0)
      throw error;
    return false;
  }
}

/** Whether a server refused to list or add search attributes, so that another attempt would have the same outcome. */
export function isRefusal(error: unknown): boolean {
  return isGrpcServiceError(error) && REFUSALS.has(error.code);
}

export interface RunSubject {
  readonly area: Area;
  /** Names of the tools that a run uses. */
  readonly tools?: readonly string[];
  /** The pseudonym of the user of a turn, and below that of its session. */
  readonly user?: string;
  readonly session?: string;
  /** Present on a run that waits first. The run removes it when it begins its work. */
  readonly waitingFor?: WaitingFor | undefined;
  /** The run that this one repeats, by its `traceId`. */
  readonly rerunOf?: string | undefined;
}

/** Builds the search attributes by which a run can be found, of those that the server has. Pure. */
export function toSearchAttributes(
  { area, tools, user, session, waitingFor, rerunOf }: RunSubject,
  known: KnownAttributes,
): TypedSearchAttributes {
  const pairs: SearchAttributePair[] = [{ key: { name: 'HoldfastArea', type: 'KEYWORD' }, value: area }];
  if (tools !== undefined && tools.length > 0) {
    pairs.push({ key: { name: 'HoldfastTools', type: 'KEYWORD_LIST' }, value: [...new Set(tools)] });
  }
  if (user !== undefined) pairs.push({ key: { name: 'HoldfastUser', type: 'KEYWORD' }, value: user });
  if (session !== undefined)
    pairs.push({ key: { name: 'HoldfastSession', type: 'KEYWORD' }, value: session });
  if (waitingFor !== undefined)
    pairs.push({ key: { name: 'HoldfastWaiting', type: 'KEYWORD' }, value: waitingFor });
  if (rerunOf !== undefined)
    pairs.push({ key: { name: 'HoldfastRerunOf', type: 'KEYWORD' }, value: rerunOf });
  return new TypedSearchAttributes(pairs.filter(({ key }) => known.has(key.name as SearchAttribute)));
}
