import { encodeTime } from 'ulid';
import type { MemoryKind } from '../../stores/memory/node';
import type { UserMemories } from '../../stores/memory/memory-graph';

/** Whole memories that one read has in memory. */
const PAGE = 100;
const KINDS: readonly MemoryKind[] = ['episodic', 'semantic'];

/** Returns a text of hexadecimal digits, always the same for a name, that no caller can compute. */
export type Derive = (name: string) => string;

/** A message as its line has it. */
export interface Said {
  readonly sessionId: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly role: string;
  readonly content: string;
}

/** Derives the ids of imported memories. They are ULIDs that no caller can take before the import does. */
export interface ImportedIds {
  /** The id of a message. A question comes before its answer if both have the same time. @param nth from 0 */
  ofMessage(userId: string, message: Said, nth: number): string;
  /** The id in the place of one that belongs to another user, or to a memory of another kind. It sorts as that one. */
  inPlaceOf(userId: string, kind: MemoryKind, id: string): string;
}

/** The digits of a ULID. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_LENGTH = 10;
const RANDOM_LENGTH = 16;
const HEX_LENGTH = 20;
/** The highest of the 80 bits after the time. */
const FIRST_BIT = 1n << 79n;

export function createImportedIds(derive: Derive): ImportedIds {
  const bitsOf = (parts: readonly unknown[]): bigint =>
    BigInt(`0x${derive(JSON.stringify(parts)).slice(0, HEX_LENGTH)}`);
  return {
    ofMessage(userId, { sessionId, at, role, content }, nth) {
      const bits = bitsOf(['message', userId, sessionId, at, role, content, nth]);
      return (
        encodeTime(Math.max(0, at), TIME_LENGTH) +
        toDigits(role === 'user' ? bits & ~FIRST_BIT : bits | FIRST_BIT)
      );
    },
    inPlaceOf: (userId, kind, id) => id.slice(0, TIME_LENGTH) + toDigits(bitsOf([kind, userId, id])),
  };
}

/** The last 16 digits of a ULID. */
function toDigits(bits: bigint): string {
  const digits = bits.toString(DIGITS.length).padStart(RANDOM_LENGTH, '0');
  return Array.from(digits, (digit) => DIGITS[parseInt(digit, DIGITS.length)]).join('');
}

/** A memory by the id that a line names. */
interface WantedMemory {
  readonly id: string;
  /** Absent: of either kind. */
  readonly kind?: MemoryKind;
}

/**
 * Finds the memories of a user that lines name, by the ids that the lines have. The id of the memory is another one if that of
 * the line was taken when it was imported.
 */
export async function findOwn(
  {
    graph,
    ids,
  }: { readonly graph: Pick<UserMemories, 'getMany'>; readonly ids: Pick<ImportedIds, 'inPlaceOf'> },
  userId: string,
  wanted: readonly WantedMemory[],
): Promise<Map<string, string>> {
  // One that was renamed is preferred, because its own id may have become free since.
  const candidates = wanted.flatMap(({ id, kind }) => [
    ...(kind === undefined ? KINDS : [kind]).map((of) => ({
      id,
      kind: of,
      as: ids.inPlaceOf(userId, of, id),
    })),
    { id, kind, as: id },
  ]);
  const ownIds = new Map<string, string>();
  for (let start = 0; start < candidates.length; start += PAGE) {
    const page = candidates.slice(start, start + PAGE);
    const nodes = await graph.getMany([...new Set(page.map(({ as }) => as))]);
    for (const { id, kind, as } of page) {
      const node = nodes.get(as);
      const isOwn = node?.userId === userId && (kind === undefined || node.kind === kind);
      if (isOwn && !ownIds.has(id)) ownIds.set(id, as);
    }
  }
  return ownIds;
}
