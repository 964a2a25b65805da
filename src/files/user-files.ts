import { createKeyedSerializer } from '../base/async/keyed-serializer';
import { HoldfastError, validationError } from '../base/errors';
import { newId } from '../base/ids';
import { parseJson } from '../base/json/parse';
import {
  MAX_FILES_OF_TENANT,
  MAX_FILES_OF_USER,
  MAX_TYPE,
  type StoredFile,
  type TurnFile,
} from '../contracts/http/files';
import { type Pseudonyms, RUN_USER } from '../secrets/pseudonyms';
import type { BlobStore } from '../stores/blobs/blob-store';
import { memoryErasing } from '../stores/memory/errors';
import { filesOf, filesOfTenant } from './file-keys';
import { decodeContent, readContent } from './read-content';

/** How long a file is kept, milliseconds. */
export const KEEP_FILES_MS = 86_400_000;
/** The memory that a file takes while it is read and checked, as a multiple of its size. */
export const LOADED_FACTOR = 4;
/** Its name and type are far shorter, bytes. */
const HEAD_BYTES = 8_192;
const NEWLINE = 0x0a;
const VALID_ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

export interface NewFile {
  readonly name: string;
  /** Its `Content-Type`. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** The files that the users of a tenant have sent, each for a day. All methods throw `STORE_UNAVAILABLE` (retryable) too. */
export interface UserFiles {
  /** @throws HoldfastError `VALIDATION` for a content that is not as its type says, `FILE_QUOTA`, `MEMORY_ERASING` */
  add(userId: string, file: NewFile): Promise<StoredFile>;
  /** @throws HoldfastError `FILE_NOT_FOUND`, also for a file of another user, and for one that has expired */
  head(userId: string, id: string): Promise<StoredFile>;
  /** @throws HoldfastError as `head` */
  read(userId: string, id: string): Promise<TurnFile>;
  /** @throws HoldfastError as `head` */
  remove(userId: string, id: string): Promise<void>;
}

export interface UserFilesPorts {
  readonly blobs: BlobStore;
  readonly tenant: string;
  readonly pseudonyms: Pseudonyms;
  readonly isErasing: (userId: string) => Promise<boolean>;
  /** As `Erasures.latestOf`. */
  readonly latestErasure: (userId: string) => Promise<string | undefined>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** What stands before the bytes of a file in its blob, as a line of JSON. */
interface Head extends StoredFile {
  /** Its whole `Content-Type`, which may name a charset. */
  readonly contentType: string;
}

export function createUserFiles(ports: UserFilesPorts): UserFiles {
  const { blobs, tenant, pseudonyms, isErasing, latestErasure, now } = ports;
  const serialize = createKeyedSerializer();
  /** The keys of files that are being stored. */
  const arriving = new Set<string>();
  const folderOf = (userId: string): string => filesOf({ tenant, user: pseudonyms(RUN_USER, userId) });
  const keyOf = (userId: string, id: string): string => {
    if (!VALID_ID.test(id)) throw fileNotFound(id);
    return `${folderOf(userId)}/${id}`;
  };

  /**
   * Counts a file before it is stored, one after another, so that requests at the same time pass no bound together. Other processes
   * count for themselves.
   * @throws HoldfastError `FILE_QUOTA`
   */
  async function takePlace(userId: string, key: string): Promise<void> {
    const excess = await serialize(tenant, async () => {
      const keys = new Set(arriving);
      for await (const { key: keptKey, modifiedAt } of blobs.list(filesOfTenant(tenant)))
        if (modifiedAt > now() - KEEP_FILES_MS) keys.add(keptKey);
      const folder = `${folderOf(userId)}/`;
      if ([...keys].filter((one) => one.startsWith(folder)).length >= MAX_FILES_OF_USER) return 'user';
      if (keys.size >= MAX_FILES_OF_TENANT) return 'tenant';
      arriving.add(key);
      return undefined;
    });
    if (excess === undefined) return;
    const most = excess === 'user' ? MAX_FILES_OF_USER : MAX_FILES_OF_TENANT;
    const message = `At most ${most} files are kept for a ${excess}; delete some, or wait until they expire`;
    throw new HoldfastError('FILE_QUOTA', message);
  }

  /** Stores a file. @throws HoldfastError `MEMORY_ERASING` if an erasure of the user begins or ends meanwhile */
  async function store(userId: string, key: string, data: Buffer): Promise<void> {
    const before = await latestErasure(userId);
    if (await isErasing(userId)) throw memoryErasing();
    await blobs.put(key, data);
    // One that has begun meanwhile may have removed the files before this one was there, and may have ended.
    if ((await latestErasure(userId)) === before) return;
    await blobs.remove(key);
    throw memoryErasing();
  }

  function parseHead(id: string, blob: Buffer | undefined): { readonly head: Head; readonly bytes: Buffer } {
    const end = blob?.indexOf(NEWLINE) ?? -1;
    if (blob === undefined || end === -1) throw fileNotFound(id);
    const head = parseJson(blob.toString('utf8', 0, end)) as Head;
    if (Date.parse(head.expiresAt) <= now()) throw fileNotFound(id);
    return { head, bytes: blob.subarray(end + 1) };
  }

  async function readHead(userId: string, id: string): Promise<Head> {
    return parseHead(id, await blobs.getRange(keyOf(userId, id), 0, HEAD_BYTES)).head;
  }

  return {
    async add(userId, { name, type: contentType, bytes }) {
      if (contentType.length > MAX_TYPE)
        throw validationError('Content-Type', `Content-Type must have at most ${MAX_TYPE} characters`);
      if (await isErasing(userId)) throw memoryErasing();
      const id = newId();
      const key = keyOf(userId, id);
      await takePlace(userId, key);
      try {
        const content = await readContent(contentType, bytes);
        if ('problem' in content) throw validationError('body', `The body ${content.problem}`);
        const expiresAt = new Date(now() + KEEP_FILES_MS).toISOString();
        const head: Head = { id, name, type: content.type, size: bytes.length, expiresAt, contentType };
        await store(userId, key, Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), bytes]));
        return toView(head);
      } finally {
        arriving.delete(key);
      }
    },
    head: async (userId, id) => toView(await readHead(userId, id)),
    async read(userId, id) {
      const { head, bytes } = parseHead(id, await blobs.get(keyOf(userId, id)));
      const content = await decodeContent(head.contentType, bytes);
      // It was decoded in the same way when it was stored.
      if ('problem' in content) throw fileNotFound(id);
      return { name: head.name, size: head.size, ...content };
    },
    async remove(userId, id) {
      await readHead(userId, id);
      await blobs.remove(keyOf(userId, id));
    },
  };
}

function toView({ contentType: _, ...file }: Head): StoredFile {
  return file;
}

function fileNotFound(id: string): HoldfastError {
  return new HoldfastError(
    'FILE_NOT_FOUND',
    `The user has no file "${id.slice(0, 64)}"; files are kept for 24 hours`,
  );
}
