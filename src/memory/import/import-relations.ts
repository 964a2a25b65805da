import { isHoldfastError } from '../../base/errors';
import type { ImportError } from '../../contracts/http/imports';
import { toError } from '../../imports/row-json';
import type { UserMemories } from '../../stores/memory/memory-graph';
import type { NewRelation, RelatedMemory, TiedAs } from '../../stores/memory/node';
import { type ImportedIds, findOwn } from './ids';
import { type MemoryLine, type NamedTie, toRefusal } from './read-line';

export interface ImportRelationsPorts {
  readonly graph: Pick<UserMemories, 'getMany' | 'relatedOfMany' | 'update'>;
  readonly ids: Pick<ImportedIds, 'inPlaceOf'>;
}

/** A tie to a memory that is there, under its own id. */
interface Tie extends NamedTie {
  readonly to: string;
}

/**
 * Adds the relations that lines of an export name and their memories lack. None is removed, so a repeat changes nothing; a memory
 * that has another parent keeps it.
 * @returns the errors of lines with a relation that cannot be, one for each line
 * @throws what the graph throws; HoldfastError `MEMORY_ERASING`
 */
export async function importRelations(
  lines: readonly MemoryLine[],
  userId: string,
  { graph, ids }: ImportRelationsPorts,
  signal?: AbortSignal,
): Promise<ImportError[]> {
  const errors: ImportError[] = [];
  for (const { line, node, named, ties } of lines) {
    if (ties.length === 0 || !('id' in named)) continue;
    signal?.throwIfAborted();
    const [self] = (await findOwn({ graph, ids }, userId, [{ id: named.id, kind: node.kind }])).values();
    // The import of its memory has failed, which is reported already.
    if (self === undefined) continue;
    const ownIds = await findOwn({ graph, ids }, userId, ties);
    const lost = ties.find(({ id }) => !ownIds.has(id));
    const ownTies = ties.flatMap((tie): Tie[] => {
      const to = ownIds.get(tie.id);
      return to === undefined ? [] : [{ ...tie, to }];
    });
    const wrong = (await addTies(graph, self, ownTies, line)) ?? (lost && toLost(line, lost));
    if (wrong !== undefined) errors.push(wrong);
  }
  return errors;
}

/** @returns the error of the line if a tie cannot be */
async function addTies(
  graph: ImportRelationsPorts['graph'],
  self: string,
  ties: readonly Tie[],
  line: number,
): Promise<ImportError | undefined> {
  const children = ties.filter(({ tiedAs }) => tiedAs === 'child').map(({ to }) => to);
  const related = await graph.relatedOfMany([self, ...children]);
  const has = (id: string, tiedAs: TiedAs, to?: string): boolean =>
    (related.get(id) ?? []).some(isTie(tiedAs, to));
  const missing = ties.filter(({ tiedAs, to }) => !has(self, tiedAs, to));
  const hasParent = ({ tiedAs, to }: Tie): boolean =>
    (tiedAs === 'parent' && has(self, 'parent')) || (tiedAs === 'child' && has(to, 'parent'));
  const adopted = missing.find(hasParent);
  const relations = missing.filter((tie) => !hasParent(tie)).map(toRelation);
  try {
    if (relations.length > 0) await graph.update(self, { relations, replacedRelations: [] });
  } catch (error) {
    if (!isHoldfastError(error) || error.code !== 'VALIDATION') throw error;
    return toRefusal(line, error);
  }
  return adopted && toError(line, `${adopted.field} names a memory that has another parent`, adopted.field);
}

const isTie =
  (tiedAs: TiedAs, to: string | undefined) =>
  ({ id, relationship }: RelatedMemory): boolean =>
    relationship === tiedAs && (to === undefined || id === to);

function toRelation({ tiedAs, to: id }: Tie): NewRelation {
  if (tiedAs === 'parent') return { type: 'parent', direction: 'out', id };
  if (tiedAs === 'child') return { type: 'parent', direction: 'in', id };
  return { type: tiedAs, direction: 'out', id };
}

function toLost(line: number, { field }: NamedTie): ImportError {
  return toError(line, `${field} names no memory of this user`, field);
}
