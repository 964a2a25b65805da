import type { EpisodicMemory } from '../../contracts/http/memory';
import type {
  MemoryChange,
  MemoryNode,
  NewMemoryNode,
  NewRelation,
  Placement,
  RelatedMemory,
} from '../../stores/memory/node';
import type { EpisodicPatch, EpisodicRelationships, NewEpisodic } from './inputs';
import { mergePatch } from './merge-patch';

/** What the metadata of an episodic memory has where its caller says nothing. */
const DEFAULTS = { source: 'user', importance: 0.5, tags: [] as string[] };

/** What `body` of such a node has. */
interface Body {
  readonly content: string;
  readonly context: Record<string, unknown>;
  /** Without what stands in fields of the node. */
  readonly metadata: Record<string, unknown>;
}

/** A new episodic memory as the graph takes it. Pure. */
export function toEpisodicNode(
  { userId, sessionId, content, context, metadata }: NewEpisodic,
  { id, timestamp }: { readonly id: string; readonly timestamp: number },
): NewMemoryNode {
  const { importance, tags, ...rest } = mergePatch(DEFAULTS, metadata ?? {}) as EpisodicMemory['metadata'];
  const body: Body = { content, context: context ?? {}, metadata: rest };
  return {
    id,
    kind: 'episodic',
    userId,
    sessionId,
    timestamp,
    text: textOf(body),
    labels: [...new Set(tags)],
    weight: importance,
    body: { ...body },
  };
}

/** The change that a partial body makes of a memory. Pure. */
export function changeEpisodic(
  node: MemoryNode,
  { content, context, metadata }: EpisodicPatch,
): MemoryChange {
  const before = bodyOf(node);
  const { importance, tags, ...rest } = mergePatch(
    metadataOf(node),
    metadata ?? {},
  ) as EpisodicMemory['metadata'];
  const body: Body = {
    content: content ?? before.content,
    context: mergePatch(before.context, context ?? {}),
    metadata: rest,
  };
  return { text: textOf(body), labels: [...new Set(tags)], weight: importance, body: { ...body } };
}

/** As callers see it. Pure. */
export function toEpisodicMemory(node: MemoryNode, related: readonly RelatedMemory[]): EpisodicMemory {
  const { id, userId, sessionId, timestamp } = node;
  const { content, context } = bodyOf(node);
  const one = (relationship: RelatedMemory['relationship']): string | undefined =>
    related.find((each) => each.relationship === relationship)?.id;
  const previous = one('previous');
  const next = one('next');
  return {
    id,
    userId,
    sessionId: sessionId ?? '',
    timestamp: new Date(timestamp).toISOString(),
    content,
    context,
    metadata: metadataOf(node),
    relationships: {
      previous,
      next,
      related: related.flatMap((each) => (each.relationship === 'related' ? [each.id] : [])),
    },
  };
}

/** Where a memory goes in its session, if the caller says so. Pure. */
export function placementOf({ previous, next }: EpisodicRelationships): Placement | undefined {
  if (previous == null && next == null) return undefined;
  return { ...(previous == null ? {} : { after: previous }), ...(next == null ? {} : { before: next }) };
}

/** Pure. */
export function relationsOfEpisodic({ related }: EpisodicRelationships): readonly NewRelation[] | undefined {
  return related?.map((id) => ({ type: 'related', direction: 'out', id }));
}

export function contentOf(node: MemoryNode): string {
  return bodyOf(node).content;
}

export function sourceOf(node: MemoryNode): string {
  return metadataOf(node).source;
}

/** What search reads: also who was there, and where. */
function textOf({ content, metadata }: Body): string {
  const { location, participants } = metadata as Partial<EpisodicMemory['metadata']>;
  return [content, location ?? '', ...(participants ?? [])].filter(Boolean).join('\n');
}

function metadataOf(node: MemoryNode): EpisodicMemory['metadata'] {
  return {
    ...bodyOf(node).metadata,
    importance: node.weight,
    tags: [...node.labels],
  } as unknown as EpisodicMemory['metadata'];
}

function bodyOf(node: MemoryNode): Body {
  return node.body as unknown as Body;
}
