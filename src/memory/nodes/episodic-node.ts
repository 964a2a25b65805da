import type { FactSource } from '../../contracts/facts';
import type { EpisodicMemory } from '../../contracts/http/memory';
import { mergePatch } from '../../contracts/merge-patch';
import type {
  MemoryChange,
  MemoryNode,
  NewMemoryNode,
  NewRelation,
  Placement,
  RelatedMemory,
} from '../../stores/memory/node';
import {
  type EpisodicPatch,
  type EpisodicRelationships,
  type NewEpisodic,
  withDefaults,
  checkFreeForm,
} from './memory-inputs';
import type { RecentMessage } from '../../contracts/http/conversations';

/** Defaults for the metadata of an episodic memory. */
const DEFAULTS = { source: 'user', importance: 0.5, tags: [] as string[] };

/** The form of the `body` of an episodic node. */
interface Body {
  readonly content: string;
  readonly context: Record<string, unknown>;
  /** The metadata that is not in fields of the node. */
  readonly metadata: Record<string, unknown>;
}

/**
 * Converts a new episodic memory to a node of the graph. Pure.
 * @param stored the id, and when the memory is stored (epoch milliseconds), which is the time of an event that names none
 * @throws HoldfastError as `checkFreeForm` does
 */
export function toEpisodicNode(
  { userId, sessionId, timestamp, content, context, metadata }: NewEpisodic,
  { id, timestamp: storedAt }: { readonly id: string; readonly timestamp: number },
): NewMemoryNode {
  const { importance, tags, ...rest } = withDefaults(DEFAULTS, metadata) as EpisodicMemory['metadata'];
  const body: Body = { content, context: context ?? {}, metadata: rest };
  checkFreeForm(body);
  return {
    id,
    kind: 'episodic',
    userId,
    sessionId,
    timestamp: timestamp === undefined ? storedAt : Date.parse(timestamp),
    storedAt,
    text: buildText(body),
    labels: [...new Set(tags)],
    weight: importance,
    body: { ...body },
  };
}

/** Converts a partial body to a change of the memory. Pure. @throws HoldfastError as `checkFreeForm` does */
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
  checkFreeForm(body, before);
  return { text: buildText(body), labels: [...new Set(tags)], weight: importance, body: { ...body } };
}

/** Converts a node to the memory that callers see. Pure. */
export function toEpisodicMemory(node: MemoryNode, related: readonly RelatedMemory[]): EpisodicMemory {
  const { id, userId, sessionId, timestamp, storedAt } = node;
  const { content, context } = bodyOf(node);
  const findRelated = (relationship: RelatedMemory['relationship']): string | undefined =>
    related.find((each) => each.relationship === relationship)?.id;
  const previous = findRelated('previous');
  const next = findRelated('next');
  return {
    id,
    userId,
    sessionId: sessionId ?? '',
    timestamp: new Date(timestamp).toISOString(),
    ...(storedAt === timestamp ? {} : { storedAt: new Date(storedAt).toISOString() }),
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

/** The place of a memory in its session, if the caller names one. Pure. */
export function toPlacement({ previous, next }: EpisodicRelationships): Placement | undefined {
  if (previous == null && next == null) return undefined;
  return { ...(previous == null ? {} : { after: previous }), ...(next == null ? {} : { before: next }) };
}

/** Pure. */
export function toEpisodicRelations({ related }: EpisodicRelationships): readonly NewRelation[] | undefined {
  return related?.map((id) => ({ type: 'related', direction: 'out', id }));
}

/** The text that search reads today; what is stored may be of an earlier build, which read less of a memory. Pure. */
export function textOf(node: MemoryNode): string {
  return node.kind === 'episodic' ? buildText({ ...bodyOf(node), metadata: metadataOf(node) }) : node.text;
}

export function contentOf(node: MemoryNode): string {
  return bodyOf(node).content;
}

export function sourceOf(node: MemoryNode): string {
  return metadataOf(node).source;
}

/**
 * When it was said what a memory says and, if it differs, when the memory was stored; epoch milliseconds. What is ahead of its
 * storing was said then, so that it does not end what is said between the two. Pure.
 */
export function timesOf({ timestamp, storedAt }: MemoryNode): Pick<FactSource, 'at' | 'storedAt'> {
  const at = Math.min(timestamp, storedAt);
  return storedAt === at ? { at } : { at, storedAt };
}

/** Maximum length of a value of the context that search reads, characters; a longer one is no description but a content. */
const MAX_CONTEXT_VALUE = 100;

/** Maximum length of these values together, so that the text of a memory stays about as long as its content may be. */
const MAX_CONTEXT = 2_000;

/** The text that search reads. It includes participants, location and the short texts of the context, such as its date. */
function buildText({ content, context, metadata }: Body): string {
  const { location, participants } = metadata as Partial<EpisodicMemory['metadata']>;
  // The service itself names the turn that stored a message, by an id.
  const { turn: _turn, ...described } = context;
  return [content, location ?? '', ...(participants ?? []), ...shortTexts(described)]
    .filter(Boolean)
    .join('\n');
}

/** The short texts of a context, as many of the first ones as there is room for. */
function shortTexts(context: Readonly<Record<string, unknown>>): string[] {
  const texts: string[] = [];
  let room = MAX_CONTEXT;
  for (const value of Object.values(context)) {
    if (typeof value !== 'string' || value.length > MAX_CONTEXT_VALUE) continue;
    room -= value.length;
    if (room < 0) break;
    texts.push(value);
  }
  return texts;
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

/** Converts a memory of a conversation to the message from which it was made. Pure. */
export function toRecentMessage(node: MemoryNode): Required<RecentMessage> {
  return {
    id: node.id,
    role: sourceOf(node) === 'assistant' ? 'assistant' : 'user',
    content: contentOf(node),
    timestamp: new Date(node.timestamp).toISOString(),
  };
}
