/**
 * Most codes of a chunk: 20 KiB where vectors have 768 dimensions, of which a change writes a page or two. More would make
 * searches a little quicker and changes slower, as they read the whole.
 */
export const CHUNK_SLOTS = 128;
/** A chunk begins as small as this and doubles, so that users of few memories take little room. */
const FIRST_SLOTS = 4;

/** What a search filters by without looking elsewhere; a session of 0 is none. */
export interface CodeFields {
  readonly memory: number;
  readonly session: number;
  /** Epoch milliseconds. */
  readonly timestamp: number;
  readonly weight: number;
}

const FIELDS = 4;
const BYTES_A_FIELD = 8;
const BYTES_A_WORD = 4;
/** Where the code begins in a slot, bytes. */
export const CODE_OFFSET = FIELDS * BYTES_A_FIELD;

/**
 * The codes of some memories of one user, as one value: slots of equal size one behind the other, of which the first
 * `used` are taken and the rest are zeros. A slot is four float64 (`CodeFields`) and the code, all little-endian.
 */
export class CodeChunk {
  #bytes: Buffer;
  #used: number;
  readonly #slotBytes: number;

  constructor(bytes: Buffer, used: number, codeBytes: number) {
    this.#bytes = bytes;
    this.#used = used;
    this.#slotBytes = CODE_OFFSET + codeBytes;
  }

  static empty(codeBytes: number): CodeChunk {
    return new CodeChunk(Buffer.alloc(0), 0, codeBytes);
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  get used(): number {
    return this.#used;
  }

  /** Of a chunk that is not full. */
  add({ memory, session, timestamp, weight }: CodeFields, code: Buffer): void {
    const at = this.#used * this.#slotBytes;
    if (at === this.#bytes.length) this.#grow();
    [memory, session, timestamp, weight].forEach((field, index) => {
      this.#bytes.writeDoubleLE(field, at + index * BYTES_A_FIELD);
    });
    code.copy(this.#bytes, at + CODE_OFFSET);
    this.#used += 1;
  }

  /** The last one takes the place, and nothing stays behind where it was. */
  remove(memory: number): void {
    const at = this.#offsetOf(memory);
    const last = (this.#used - 1) * this.#slotBytes;
    this.#bytes.copyWithin(at, last, last + this.#slotBytes);
    this.#bytes.fill(0, last, last + this.#slotBytes);
    this.#used -= 1;
  }

  /** Those whose codes are here. */
  memories(): number[] {
    return Array.from({ length: this.#used }, (_, slot) => this.#bytes.readDoubleLE(slot * this.#slotBytes));
  }

  setWeight(memory: number, weight: number): void {
    this.#bytes.writeDoubleLE(weight, this.#offsetOf(memory) + 3 * BYTES_A_FIELD);
  }

  #offsetOf(memory: number): number {
    for (let at = 0; at < this.#used * this.#slotBytes; at += this.#slotBytes) {
      if (this.#bytes.readDoubleLE(at) === memory) return at;
    }
    throw new Error(`The code of memory ${memory} is not where its vector says`);
  }

  #grow(): void {
    const grown = Buffer.alloc(Math.max(FIRST_SLOTS * this.#slotBytes, 2 * this.#bytes.length));
    this.#bytes.copy(grown);
    this.#bytes = grown;
  }
}

/** A chunk's bytes as numbers, for reading many quickly: slot n has its fields and words behind these many. */
export interface ChunkView {
  readonly fields: Float64Array;
  readonly words: Int32Array;
  readonly fieldsASlot: number;
  readonly wordsASlot: number;
}

export function viewChunk(bytes: Buffer, codeBytes: number): ChunkView {
  // Such views cannot begin at just any byte.
  const { buffer, byteOffset } = bytes.byteOffset % BYTES_A_FIELD === 0 ? bytes : Uint8Array.from(bytes);
  const slotBytes = CODE_OFFSET + codeBytes;
  return {
    fields: new Float64Array(buffer, byteOffset, bytes.length / BYTES_A_FIELD),
    words: new Int32Array(buffer, byteOffset, bytes.length / BYTES_A_WORD),
    fieldsASlot: slotBytes / BYTES_A_FIELD,
    wordsASlot: slotBytes / BYTES_A_WORD,
  };
}
