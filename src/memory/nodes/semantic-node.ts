import type { SemanticMemory } from '../../contracts/http/memory';
import { mergePatch } from '../../contracts/merge-patch';
import {
  ALL_TIES,
  type MemoryChange,
  type MemoryNode,
  type NewMemoryNode,
  type NewRelation,
  type RelatedMemory,
} from '../../stores/memory/node';
import {
  type NewSemantic,
  type SemanticPatch,
  type SemanticRelationships,
  withDefaults,
  checkFreeForm,
} from './memory-inputs';

/** Defaults for the metadata of a semantic memory. */
const DEFAULTS = { category: 'general', confidence: 0.5, source: 'user' };

/** The form of the `body` of a semantic node. */
interface Body {
  readonly concept: string;
  readonly description: string;
  /** The metadata that is not in fields of the node. */
  readonly metadata: Record<string, unknown>;
  /** Counts and times that a caller has set; reads are counted on top of them. */
  readonly accessed?: Accessed;
}

interface Accessed {
  /** Added to the node's own count. */
  readonly offset?: number;
  /** The time of the last access, unless the node was read after `unlessAfter`; both epoch milliseconds. */
  readonly at?: number;
  readonly unlessAfter?: number;
}

/** The metadata that a caller may set; the rest is counted. */
interface Settable {
  readonly category: string;
  readonly confidence: number;
  readonly source: string;
  readonly [other: string]: unknown;
}

/** Converts a new semantic memory to a node of the graph. Pure. @throws HoldfastError as `checkFreeForm` does */
export function toSemanticNode(
  { userId, concept, description, metadata }: NewSemantic,
  { id, timestamp }: { readonly id: string; readonly timestamp: number },
): NewMemoryNode {
  const { category, confidence, ...rest } = pickSettable(withDefaults(DEFAULTS, metadata));
  const body: Body = { concept, description, metadata: rest, ...mergeAccessed(metadata) };
  checkFreeForm(body);
  return {
    id,
    kind: 'semantic',
    userId,
    sessionId: null,
    timestamp,
    storedAt: timestamp,
    text: buildText(body),
    labels: [category],
    weight: confidence,
    body: { ...body },
  };
}

/** Converts a partial body to a change of the memory. Pure. @throws HoldfastError as `checkFreeForm` does */
export function changeSemantic(
  node: MemoryNode,
  { concept, description, metadata }: SemanticPatch,
): MemoryChange {
  const before = bodyOf(node);
  const { category, confidence, ...rest } = pickSettable(mergePatch(storedMetadata(node), metadata ?? {}));
  const body: Body = {
    concept: concept ?? before.concept,
    description: description ?? before.description,
    metadata: rest,
    ...mergeAccessed(metadata, node, before.accessed),
  };
  checkFreeForm(body, before);
  return { text: buildText(body), labels: [category], weight: confidence, body: { ...body } };
}

/** Converts a node to the memory that callers see. Pure. */
export function toSemanticMemory(node: MemoryNode, related: readonly RelatedMemory[]): SemanticMemory {
  const { id, userId, readCount } = node;
  const { concept, description, accessed = {} } = bodyOf(node);
  const all = (relationship: RelatedMemory['relationship']): string[] =>
    related.flatMap((each) => (each.relationship === relationship ? [each.id] : []));
  const [parent] = all('parent');
  return {
    id,
    userId,
    concept,
    description,
    metadata: {
      ...storedMetadata(node),
      lastAccessed: new Date(lastAccessOf(node, accessed)).toISOString(),
      accessCount: readCount + (accessed.offset ?? 0),
    },
    relationships: {
      similar: all('similar'),
      parent,
      children: all('child'),
      related: all('related'),
    },
  };
}

/**
 * Builds the relations that a memory shall have, and names those that they replace; nothing if the caller names none. Pure.
 */
export function buildSemanticRelations(
  given: SemanticRelationships = {},
): Pick<MemoryChange, 'relations' | 'replacedRelations'> {
  const { similar, parent, children, related } = given;
  const named = { similar, parent, child: children, related };
  const replacedRelations = ALL_TIES.filter((tie) => named[tie] !== undefined);
  if (replacedRelations.length === 0) return {};
  const tie = (
    type: NewRelation['type'],
    ids: readonly string[] = [],
    direction: NewRelation['direction'] = 'out',
  ): NewRelation[] => ids.map((id) => ({ type, direction, id }));
  const relations = [
    ...tie('similar', similar),
    ...tie('parent', parent == null ? [] : [parent]),
    ...tie('parent', children, 'in'),
    ...tie('related', related),
  ];
  return { relations, replacedRelations };
}

export function conceptOf(node: MemoryNode): Pick<SemanticMemory, 'concept' | 'description'> {
  const { concept, description } = bodyOf(node);
  return { concept, description };
}

function buildText({ concept, description }: Body): string {
  return `${concept}\n${description}`;
}

function storedMetadata(node: MemoryNode): Settable {
  const [category = DEFAULTS.category] = node.labels;
  return { ...bodyOf(node).metadata, category, confidence: node.weight } as unknown as Settable;
}

/** The time of the last access; for a memory that was never read, the time of its creation. */
function lastAccessOf({ timestamp, readAt }: MemoryNode, { at, unlessAfter = 0 }: Accessed): number {
  if (at !== undefined && (readAt ?? 0) <= unlessAfter) return at;
  return readAt ?? timestamp;
}

/** Merges what a caller sets with what was set before. @param reads the reads of the memory so far */
function mergeAccessed(
  given: NewSemantic['metadata'],
  reads: Pick<MemoryNode, 'readCount' | 'readAt'> = { readCount: 0, readAt: null },
  before: Accessed = {},
): Pick<Body, 'accessed'> {
  const { accessCount, lastAccessed } = given ?? {};
  const accessed: Accessed = {
    ...before,
    ...(typeof accessCount === 'number' ? { offset: accessCount - reads.readCount } : {}),
    ...(typeof lastAccessed === 'string'
      ? { at: Date.parse(lastAccessed), unlessAfter: reads.readAt ?? 0 }
      : {}),
  };
  return Object.keys(accessed).length === 0 ? {} : { accessed };
}

function pickSettable(metadata: Record<string, unknown>): Settable {
  const { lastAccessed: _read, accessCount: _reads, ...rest } = metadata;
  return rest as unknown as Settable;
}

function bodyOf(node: MemoryNode): Body {
  return node.body as unknown as Body;
}
