import type { ChunkView } from './code-chunk';
import { CODE_OFFSET, viewChunk } from './code-chunk';

/** Which codes count, by what stands beside them. */
export interface CodeFilter {
  /** A session's key. */
  readonly session?: number | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly minWeight?: number | undefined;
  readonly maxWeight?: number | undefined;
  /** Keys of memories. */
  readonly among?: ReadonlySet<number> | undefined;
}

export interface PackedCodes {
  readonly used: number;
  readonly slots: Buffer;
}

/** Of a code, by what its distance is kept in. */
const MOST_BITS = 0xffff;
/** Words whose set bits a sum of four bytes can hold without one running into the next. */
const WORDS_A_SUM = 16;

/**
 * The coarse pass of a search: the keys of the `limit` memories whose codes differ from `code` in the fewest bits,
 * in no order; of equals those with the least keys. Pure.
 * @param total how many codes the chunks have, at least
 */
export function nearestCodes(
  chunks: Iterable<PackedCodes>,
  { code, filter, limit, total }: { code: Buffer; filter: CodeFilter; limit: number; total: number },
): number[] {
  const wanted = new Int32Array(Uint8Array.from(code).buffer);
  const memories = new Float64Array(total);
  const distances = new Uint16Array(total);
  const passes = testOf(filter);
  let count = 0;
  for (const { used, slots } of chunks) {
    const view = viewChunk(slots, code.length);
    const { fields, words, fieldsASlot, wordsASlot } = view;
    for (let slot = 0; slot < used; slot += 1) {
      if (passes !== undefined && !passes(view, slot * fieldsASlot)) continue;
      memories[count] = fields[slot * fieldsASlot] as number;
      distances[count] = differingBits(words, slot * wordsASlot + CODE_OFFSET / 4, wanted);
      count += 1;
    }
  }
  return leastOf(memories.subarray(0, count), distances.subarray(0, count), limit);
}

/** Undefined where everything passes. */
function testOf(filter: CodeFilter): ((view: ChunkView, at: number) => boolean) | undefined {
  if (Object.values(filter).every((condition) => condition === undefined)) return undefined;
  const { session, among, from = -Infinity, to = Infinity } = filter;
  const { minWeight = -Infinity, maxWeight = Infinity } = filter;
  return ({ fields }, at) => {
    const [timestamp, weight] = [fields[at + 2] as number, fields[at + 3] as number];
    return (
      (session === undefined || fields[at + 1] === session) &&
      timestamp >= from &&
      timestamp <= to &&
      weight >= minWeight &&
      weight <= maxWeight &&
      (among === undefined || among.has(fields[at] as number))
    );
  };
}

/** Bits are counted in pairs, nibbles and bytes of a word at once (Warren, Hacker's Delight, chapter 5-1). */
function differingBits(words: Int32Array, at: number, wanted: Int32Array): number {
  let sum = 0;
  for (let start = 0; start < wanted.length; start += WORDS_A_SUM) {
    let bytes = 0;
    const end = Math.min(start + WORDS_A_SUM, wanted.length);
    for (let index = start; index < end; index += 2) {
      const nibbles =
        bitsByNibble((words[at + index] as number) ^ (wanted[index] as number)) +
        bitsByNibble((words[at + index + 1] as number) ^ (wanted[index + 1] as number));
      bytes += (nibbles & 0x0f0f0f0f) + ((nibbles >>> 4) & 0x0f0f0f0f);
    }
    sum += (bytes & 0x00ff00ff) + ((bytes >>> 8) & 0x00ff00ff);
  }
  return (sum & 0xffff) + (sum >>> 16);
}

function bitsByNibble(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  return (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
}

/** By counting: distances are small whole numbers. */
function leastOf(memories: Float64Array, distances: Uint16Array, limit: number): number[] {
  if (memories.length <= limit) return [...memories];
  const counts = new Uint32Array(MOST_BITS + 1);
  for (const distance of distances) counts[distance] = (counts[distance] as number) + 1;
  let border = 0;
  let below = 0;
  while (below + (counts[border] as number) <= limit) below += counts[border++] as number;
  const found: number[] = [];
  const equals: number[] = [];
  for (let index = 0; index < memories.length; index += 1) {
    const distance = distances[index] as number;
    if (distance < border) found.push(memories[index] as number);
    else if (distance === border) equals.push(memories[index] as number);
  }
  equals.sort((one, other) => one - other);
  return [...found, ...equals.slice(0, limit - below)];
}
