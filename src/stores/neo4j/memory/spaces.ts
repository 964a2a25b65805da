import { vectorSpaceChanged } from '../../memory/errors';
import type { MemoryKind } from '../../memory/node';
import { MEMORY_KINDS } from '../../memory/node';
import type { VectorSpace, VectorSpaces } from '../../memory/vector-spaces';
import type { Statements } from '../connection';

export type SpaceRole = keyof VectorSpaces;

/** In one property, so that no reader finds one half of a switch. */
export interface SpacesState extends VectorSpaces {
  readonly lastId: number;
  /** Spaces out of use whose vectors are still to be taken away. */
  readonly dropped: readonly number[];
}

const NO_SPACES: SpacesState = { current: null, next: null, lastId: 0, dropped: [] };

const LOCK = `MERGE (spaces:HoldfastVectorSpaces {name: 'memories'}) SET spaces.lock = true`;
const READ = `MATCH (spaces:HoldfastVectorSpaces {name: 'memories'}) RETURN spaces.state AS state`;
const WRITE = `MATCH (spaces:HoldfastVectorSpaces {name: 'memories'}) SET spaces.state = $state`;

/**
 * The properties of a memory's vector in a space: `values` while it is held here; `has` also when it was let go to an
 * index elsewhere; `since`, of a semantic memory, when it came to be held.
 */
export interface VectorProperties {
  readonly values: string;
  readonly has: string;
  readonly since: string;
}

/** Names to be used in Cypher: they are made of letters and the whole number that an id is. */
export function vectorProperties(spaceId: number): VectorProperties {
  const id = Math.trunc(spaceId);
  return { values: `vector${id}`, has: `hasVector${id}`, since: `heldSince${id}` };
}

/** The names of the indexes of a space. */
export function indexName(spaceId: number, of: MemoryKind | 'held'): string {
  return `holdfast_vectors_${Math.trunc(spaceId)}_${of}`;
}

/** Of an id that was never used, or else of a database that was emptied, which keeps its indexes. */
export function dropIndexes(spaceId: number): string[] {
  return [...MEMORY_KINDS, 'held' as const].map((of) => `DROP INDEX ${indexName(spaceId, of)} IF EXISTS`);
}

/** @param labels of the memories of each kind */
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
  return typeof state === 'string' ? (JSON.parse(state) as SpacesState) : NO_SPACES;
}

/** Until the transaction ends nobody else changes the spaces. */
export async function lockSpaces(statements: Statements): Promise<SpacesState> {
  const [, state] = await Promise.all([statements.run(LOCK), readSpaces(statements)]);
  return state;
}

export async function writeSpaces(statements: Statements, state: SpacesState): Promise<void> {
  await statements.run(WRITE, { state: JSON.stringify(state) });
}

/** Ids of the spaces in use. */
export function spacesInUse({ current, next }: VectorSpaces): number[] {
  return [current, next].flatMap((space) => (space === null ? [] : [space.id]));
}

/**
 * @throws HoldfastError `VECTOR_SPACE_CHANGED` where the space has none of these roles
 * @throws RangeError where it does not have these dimensions
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
    throw new RangeError(`A vector has ${dimensions} dimensions, and its space ${space.dimensions}`);
  }
}
