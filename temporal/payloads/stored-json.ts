import { createHash, randomUUID } from 'node:crypto';
import { StringDecoder } from 'node:string_decoder';
import { PayloadConverterError } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { nextLargePiece } from '../../src/base/async/large-pieces';
import { redactJsonText, type Hiding } from '../../src/secrets/redact-json-text';
import type { BlobStore } from '../../src/stores/blobs/blob-store';

const PayloadMessage = temporal.api.common.v1.Payload;
/** What is read of a value to find out where its text begins. Encoding and type are far shorter, bytes. */
const HEAD_BYTES = 4_096;
/** The memory that a value takes while it is read, parsed and written again, as a multiple of its text. */
const LOADED_FACTOR = 4;
/** A value is sent in parts of this size, of which one or two are in memory, bytes. */
const PART_BYTES = 262_144;
/** The tags of the fields of a payload that hold metadata and data, as Protobuf writes them. */
const METADATA_TAG = 0x0a;
const DATA_TAG = 0x12;

/** Where a value is stored. */
export interface StoredPlace {
  readonly blobs: Pick<BlobStore, 'getRange'>;
  readonly key: string;
  /** SHA-256 of the blob, in hexadecimal digits. */
  readonly digest: string;
  /** Creates the error for a blob that does not exist. */
  readonly missing: () => Error;
  /** Creates the error for a blob that has another digest. */
  readonly altered: () => Error;
}

/**
 * A large value whose JSON text stays in the store until it is sent, so that a reader of it needs neither all of the
 * text in memory nor time to parse it and write it again.
 */
export class StoredJson {
  /** Length of the text as it is stored, bytes. */
  readonly bytes: number;
  readonly #place: StoredPlace;
  /** Where the text begins in the blob. */
  readonly #offset: number;
  readonly #head: Buffer;
  readonly #hiding: Hiding | undefined;
  /** How much of the text before and behind this value belongs to others, bytes. */
  readonly #around: Around;

  private constructor(
    place: StoredPlace,
    head: Buffer,
    { offset, length }: DataField,
    {
      hiding,
      around = NOTHING_AROUND,
    }: { readonly hiding?: Hiding | undefined; readonly around?: Around } = {},
  ) {
    this.#place = place;
    this.#offset = offset;
    this.bytes = length - around.before - around.behind;
    this.#head = head;
    this.#hiding = hiding;
    this.#around = around;
  }

  /** @returns undefined for a value that is not JSON; the error of the store if it cannot be read */
  static async open(place: StoredPlace): Promise<StoredJson | undefined> {
    const head = await place.blobs.getRange(place.key, 0, HEAD_BYTES);
    if (head === undefined) throw place.missing();
    const field = findData(head);
    return field === undefined ? undefined : new StoredJson(place, head, field);
  }

  /** Whether credentials are struck out of the parts, whose length is not known before. */
  get isHiding(): boolean {
    return this.#hiding !== undefined;
  }

  /** The same value, out of whose parts credentials are struck. */
  hiding(redactor: Hiding): StoredJson {
    const around = this.#around;
    return new StoredJson(this.#place, this.#head, this.#field, { hiding: redactor, around });
  }

  /**
   * The value of the last field of an object, and the fields before it. Inside of a text, the quotation marks of its name would have
   * backslashes.
   * @returns undefined if the name is not within the first few thousand characters, or belongs to an object within this one
   */
  lastField(name: string): { readonly value: StoredJson; readonly before: object } | undefined {
    const begins = `,"${name}":`;
    const at = this.#head.subarray(this.#offset).indexOf(begins);
    const fields = at === -1 ? undefined : readFields(this.#head.subarray(this.#offset, this.#offset + at));
    if (fields === undefined) return undefined;
    const around = { before: at + Buffer.byteLength(begins), behind: 1 };
    const value = new StoredJson(this.#place, this.#head, this.#field, { hiding: this.#hiding, around });
    return { value, before: fields };
  }

  get #field(): DataField {
    const { before, behind } = this.#around;
    return { offset: this.#offset, length: this.bytes + before + behind };
  }

  /** The first few thousand characters of the text; fewer if it is shorter. */
  get beginning(): string {
    return this.#head.subarray(this.#offset, this.#offset + this.bytes).toString('utf8');
  }

  /**
   * Reads the text in parts. The last part is given only if the whole blob has its digest.
   * @throws the error of the store, also if the value was altered
   */
  async *parts(): AsyncGenerator<Buffer, void, undefined> {
    if (this.#hiding === undefined) return yield* this.#read();
    const hidden = redactJsonText(this.#hiding);
    const decoder = new StringDecoder('utf8');
    for await (const part of this.#read()) {
      await nextLargePiece();
      yield Buffer.from(hidden.write(decoder.write(part)));
    }
    yield Buffer.from(hidden.write(decoder.end()) + hidden.end());
  }

  async *#read(): AsyncGenerator<Buffer, void, undefined> {
    const { blobs, key, digest, missing, altered } = this.#place;
    const { offset, length } = this.#field;
    const { before, behind } = this.#around;
    const [first, last, end] = [offset + before, offset + length - behind, offset + length];
    const hash = createHash('sha256').update(this.#head.subarray(0, this.#offset));
    for (let at = this.#offset; at < end;) {
      const part = await blobs.getRange(key, at, Math.min(PART_BYTES, end - at));
      if (part === undefined) throw missing();
      if (part.length === 0) throw altered();
      hash.update(part);
      const within = part.subarray(Math.max(0, first - at), Math.max(0, last - at));
      at += part.length;
      if (at >= end && hash.digest('hex') !== digest) throw altered();
      if (within.length > 0) yield within;
    }
  }

  /**
   * Reads and parses the whole value.
   * @param admit waits for room for it
   * @throws as `parts` and `admit` do
   */
  async load(admit: (bytes: number) => Promise<void>): Promise<unknown> {
    await admit(this.bytes * LOADED_FACTOR);
    const parts: Buffer[] = [];
    for await (const part of this.parts()) parts.push(part);
    await nextLargePiece();
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown;
  }

  /** Only `writeJson` knows how to write it. @throws Error anywhere else */
  toJSON(): string {
    if (collected === undefined)
      throw new PayloadConverterError('A stored value has to be loaded before it is written');
    collected.push(this);
    return MARK;
  }
}

/** Stands in a text for a stored value. No caller knows it. */
const MARK = `stored ${randomUUID()}`;
/** The stored values of the text that is being written. */
let collected: StoredJson[] | undefined;

/** Text and stored values that follow each other and together are one JSON text. */
export interface JsonParts {
  readonly texts: readonly string[];
  /** One between every two texts. */
  readonly values: readonly StoredJson[];
}

/** Writes a value that has stored ones anywhere in it. */
export function writeJson(value: unknown): JsonParts {
  const values: StoredJson[] = [];
  collected = values;
  try {
    return { texts: JSON.stringify(value).split(`"${MARK}"`), values };
  } finally {
    collected = undefined;
  }
}

/** The length of the text, bytes; undefined if credentials are struck out of it while it is read. */
export function lengthOf({ texts, values }: JsonParts): number | undefined {
  if (values.some(({ isHiding }) => isHiding)) return undefined;
  const written = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return values.reduce((sum, { bytes }) => sum + bytes, written);
}

/** Reads the text in parts. @throws as `StoredJson.parts` does */
export async function* readParts({ texts, values }: JsonParts): AsyncGenerator<string | Buffer> {
  for (const [place, text] of texts.entries()) {
    yield text;
    const value = values[place];
    if (value !== undefined) yield* value.parts();
  }
}

/**
 * Writes a value that may have stored ones in it as one text.
 * @param admit waits for room for the stored ones
 * @throws as `StoredJson.parts` and `admit` do
 */
export async function loadText(value: unknown, admit: (bytes: number) => Promise<void>): Promise<string> {
  const written = writeJson(value);
  const stored = written.values.reduce((sum, { bytes }) => sum + bytes, 0);
  if (stored > 0) await admit(stored * LOADED_FACTOR);
  const parts: Buffer[] = [];
  for await (const part of readParts(written)) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString('utf8');
}

interface Around {
  readonly before: number;
  readonly behind: number;
}

const NOTHING_AROUND: Around = { before: 0, behind: 0 };

/** Reads the first fields of an object. @param text the object up to the comma behind them */
export function readFields(text: Buffer | string): object | undefined {
  try {
    return JSON.parse(`${text.toString()}}`) as object;
  } catch {
    return undefined;
  }
}

interface DataField {
  readonly offset: number;
  readonly length: number;
}

/** Finds the text in the encoded payload. @returns undefined if it is not JSON, or the form is another one */
function findData(head: Buffer): DataField | undefined {
  for (let at = 0; at < head.length;) {
    const tag = head[at];
    const [length, next] = readVarint(head, at + 1);
    if (tag === DATA_TAG) {
      const { metadata } = PayloadMessage.decode(head.subarray(0, at));
      const encoding = Buffer.from(metadata['encoding'] ?? []).toString();
      return encoding === 'json/plain' ? { offset: next, length } : undefined;
    }
    if (tag !== METADATA_TAG) return undefined;
    at = next + length;
  }
  return undefined;
}

/** Reads an integer of Protobuf. @returns it, and where the next byte is */
function readVarint(bytes: Buffer, from: number): readonly [value: number, next: number] {
  let value = 0;
  let at = from;
  for (let factor = 1; at < bytes.length; factor *= 128) {
    const byte = bytes[at] ?? 0;
    at += 1;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) break;
  }
  return [value, at];
}
