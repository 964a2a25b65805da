import { parseJson } from '../../../base/json/parse';
import { vectorSpaceChanged } from '../../memory/errors';
import { MEMORY_KINDS, type MemoryKind } from '../../memory/node';
import type { VectorSpace, VectorSpaces } from '../../memory/vector-spaces';
import type { Statements } from '../connection';

export type SpaceRole = keyof VectorSpaces;

/** The state of all spaces. It is stored in one property, so that no reader sees half of a switch. */
export interface SpacesState extends VectorSpaces {
  readonly lastId: number;
  /** Ids of spaces that are not in use any more and whose vectors are still to be removed. */
  readonly dropped: readonly number[];
}

const NO_SPACES: SpacesState = { current: null, next: null, lastId: 0, dropped: [] };

const LOCK = `MERGE (spaces:HoldfastVectorSpaces {name: 'memories'}) SET spaces.lock = true`;
const READ = `MATCH (spaces:HoldfastVectorSpaces {name: 'memories'}) RETURN spaces.state AS state`;
const WRITE = `MATCH (spaces:HoldfastVectorSpaces {name: 'memories'}) SET spaces.state = $state`;

/**
 * The names of the properties of a memory's vector in a space. `values` is present while the graph has the vector; `has` also
 * after it was released to an outside index; `since`, only of a semantic memory, is the time from which it is pending.
 */
export interface VectorProperties {
  readonly values: string;
  readonly has: string;
  readonly since: string;
}

/** Builds names that are safe in Cypher: they consist of letters and a whole number. */
export function vectorProperties(spaceId: number): VectorProperties {
  const id = Math.trunc(spaceId);
  return { values: `vector${id}`, has: `hasVector${id}`, since: `heldSince${id}` };
}

/** The name of an index of a space: that of the vectors of a kind, or that of the pending vectors (`held`). */
export function indexName(spaceId: number, of: MemoryKind | 'held'): string {
  return `holdfast_vectors_${Math.trunc(spaceId)}_${of}`;
}

/** Builds the statements that drop the indexes of a space. An emptied database still has the indexes of its earlier spaces. */
export function dropIndexes(spaceId: number): string[] {
  return [...MEMORY_KINDS, 'held' as const].map((of) => `DROP INDEX ${indexName(spaceId, of)} IF EXISTS`);
}

/**
 * Builds the statements that create the indexes of a space.
 * @param labels the label of the memories of each kind
 */
export function createIndexes(
  { id, dimensions }: VectorSpace,
  labels: Readonly<Record<MemoryKind, string>>,
): string[] {
  const { values, since } = vectorProperties(id);
  const options = `{indexConfig: {\`vector.dimensions\`: ${Math.trunc(dimensions)}, \`vector.similarity_function\`: 'cosine'}}`;
  return [
    ...MEMORY_KINDS.map(
      (kind) => `CREATE VECTOR INDEX ${indexName(id, kind)} IF NOT EXISTS
        FOR (memory:${labels[kind]}) ON (memory.${values}) OPTIONS ${options}`,
    ),
    `CREATE INDEX ${indexName(id, 'held')} IF NOT EXISTS FOR (memory:${labels.semantic}) ON (memory.${since})`,
  ];
}

export async function readSpaces(statements: Statements): Promise<SpacesState> {
  const [row] = await statements.run(READ);
  const state = row?.['state'];
  return typeof state === 'string' ? (parseJson(state) as SpacesState) : NO_SPACES;
}

/** Locks the spaces until the transaction ends, and reads them. */
export async function lockSpaces(statements: Statements): Promise<SpacesState> {
  const [, state] = await Promise.all([statements.run(LOCK), readSpaces(statements)]);
  return state;
}

export async function writeSpaces(statements: Statements, state: SpacesState): Promise<void> {
  await statements.run(WRITE, { state: JSON.stringify(state) });
}

/** The ids of the current and the next space, if they exist. */
export function spacesInUse({ current, next }: VectorSpaces): number[] {
  return [current, next].flatMap((space) => (space === null ? [] : [space.id]));
}

/**
 * Checks that a space has one of these roles, and these dimensions.
 * @throws HoldfastError `VECTOR_SPACE_CHANGED` if it has none of the roles
 * @throws RangeError if it has other dimensions
 */
export function requireSpace(
  spaces: VectorSpaces,
  id: number,
  roles: readonly SpaceRole[],
  dimensions?: number,
): void {
  const space = roles.map((role) => spaces[role]).find((one) => one?.id === id);
  if (!space) throw vectorSpaceChanged();
  if (dimensions !== undefined && dimensions !== space.dimensions) {
    throw new RangeError(`The vector has ${dimensions} dimensions, but its space has ${space.dimensions}`);
  }
}
