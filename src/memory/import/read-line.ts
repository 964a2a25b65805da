import { z } from 'zod';
import { isHoldfastError } from '../../base/errors';
import { CONVERSATION_TAG } from '../../contracts/http/conversations';
import type { ImportError } from '../../contracts/http/imports';
import { exportEndSchema } from '../../contracts/http/memory';
import { eventTimeSchema, memoryIdSchema, newMemoryFields } from '../../contracts/http/new-memories';
import { readRowJson, toError, toIssue } from '../../imports/row-json';
import type { MemoryKind, NewMemoryNode, TiedAs } from '../../stores/memory/node';
import { toEpisodicNode } from '../nodes/episodic-node';
import { IMPORTANCE } from '../nodes/message-importance';
import { toSemanticNode } from '../nodes/semantic-node';
import type { Said } from './ids';

/** A relation that a line names. */
export interface NamedTie {
  readonly tiedAs: TiedAs;
  readonly id: string;
  /** The field that names it. */
  readonly field: string;
}

/** A memory of a line. */
export interface MemoryLine {
  readonly line: number;
  readonly node: Omit<NewMemoryNode, 'id'>;
  /** The id that the memory shall have, or the message from which its id is derived. */
  readonly named: { readonly id: string } | { readonly said: Said };
  readonly ties: readonly NamedTie[];
}

/** The end of an export, with the numbers of memories before it. */
export interface EndLine {
  readonly line: number;
  readonly end: { readonly episodic: number; readonly semantic: number };
}

/** What a line is; `kind` if it is one of an export that cannot become a memory. */
export type ReadLine =
  MemoryLine | EndLine | { readonly error: ImportError; readonly kind?: MemoryKind } | undefined;

/** Reads lines of exports, and of conversations. */
export type LineReader = (
  text: string,
  line: number,
  target: { userId: string; storedAt: number },
) => ReadLine;

const ROLES = ['user', 'assistant', 'system', 'tool'] as const;
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const TIES = {
  related: 'related',
  similar: 'similar',
  parent: 'parent',
  children: 'child',
} as const satisfies Readonly<Record<string, TiedAs>>;

/** @param maxContentLength characters */
export function createLineReader(maxContentLength: number): LineReader {
  const fields = newMemoryFields(maxContentLength);
  // An export names all relations of a memory, which others may have made too, so these are not limited.
  const ids = z.array(memoryIdSchema).optional();
  const id = z.string().regex(ULID, 'must be the id of a memory');
  const episodic = z.strictObject({
    ...fields.episodic,
    kind: z.literal('episodic'),
    id,
    userId: z.string().optional(),
    timestamp: eventTimeSchema,
    storedAt: eventTimeSchema.optional(),
    relationships: z
      .strictObject({ previous: memoryIdSchema.nullish(), next: memoryIdSchema.nullish(), related: ids })
      .optional(),
  });
  const semantic = z.strictObject({
    ...fields.semantic,
    kind: z.literal('semantic'),
    id,
    userId: z.string().optional(),
    relationships: z
      .strictObject({ similar: ids, parent: memoryIdSchema.nullish(), children: ids, related: ids })
      .optional(),
  });
  const message = z.strictObject({
    role: z.enum(ROLES),
    content: fields.episodic.content,
    timestamp: eventTimeSchema,
    sessionId: fields.episodic.sessionId,
  });

  /** @throws HoldfastError `VALIDATION` */
  function toMemory(
    value: unknown,
    line: number,
    { userId, storedAt }: { userId: string; storedAt: number },
  ): ReadLine {
    const kind = kindOf(value);
    if (kind === undefined) {
      const parsed = message.safeParse(value);
      if (!parsed.success) return { error: toIssue(line, parsed.error) };
      const { role, ...sentMessage } = parsed.data;
      const isMessage = role === 'user' || role === 'assistant';
      const metadata = {
        source: role,
        importance: IMPORTANCE[role === 'user' ? 'user' : 'assistant'],
        tags: isMessage ? [CONVERSATION_TAG] : [],
      };
      const node = toEpisodicNode({ userId, ...sentMessage, metadata }, { id: '', timestamp: storedAt });
      return { line, node, named: { said: { ...sentMessage, role, at: node.timestamp } }, ties: [] };
    }
    if (kind === 'episodic') {
      const parsed = episodic.safeParse(value);
      if (!parsed.success) return { error: toIssue(line, parsed.error), kind };
      const { data } = parsed;
      const stored = Date.parse(data.storedAt ?? data.timestamp);
      const node = toEpisodicNode({ ...data, userId }, { id: '', timestamp: stored });
      return { line, node, named: { id: data.id }, ties: toTies(data.relationships) };
    }
    const parsed = semantic.safeParse(value);
    if (!parsed.success) return { error: toIssue(line, parsed.error), kind };
    const { data } = parsed;
    const node = toSemanticNode({ ...data, userId }, { id: '', timestamp: storedAt });
    return { line, node, named: { id: data.id }, ties: toTies(data.relationships) };
  }

  return (text, line, target) => {
    if (text.trim() === '') return undefined;
    const read = readRowJson(text, line);
    if ('error' in read) return read;
    const end = exportEndSchema.safeParse(read.value);
    if (end.success) return { line, end: end.data };
    try {
      return toMemory(read.value, line, target);
    } catch (error) {
      if (!isHoldfastError(error) || error.code !== 'VALIDATION') throw error;
      const kind = kindOf(read.value);
      return { error: toRefusal(line, error), kind };
    }
  };
}

/** The error of a line whose memory is refused. Pure. */
export function toRefusal(
  line: number,
  { message, details }: { readonly message: string; readonly details?: Readonly<Record<string, unknown>> },
): ImportError {
  const field = details?.['field'];
  return toError(line, message, typeof field === 'string' ? field : undefined);
}

function kindOf(value: unknown): MemoryKind | undefined {
  const { kind } = (value ?? {}) as { kind?: unknown };
  return kind === 'episodic' || kind === 'semantic' ? kind : undefined;
}

/** The relations that a line names; neighbours are found by the time. */
function toTies(
  given: Readonly<Record<string, string | readonly string[] | null | undefined>> = {},
): NamedTie[] {
  return Object.entries(TIES).flatMap(([name, tiedAs]) =>
    [given[name] ?? []].flat().map((id) => ({ tiedAs, id, field: `relationships.${name}` })),
  );
}
