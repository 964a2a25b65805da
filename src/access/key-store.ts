import { HoldfastError, validationError } from '../base/errors';
import type { IssuedKey, ListedKey, NewKey } from '../contracts/http/access';
import { DEFAULT_TENANT } from '../contracts/tenants';
import { CONFLICT, untilNoConflict } from '../stores/compare-and-set';
import type { DocumentStore, StoredDocument } from '../stores/documents';
import type { Caller } from './caller';
import { hashSecret, isSecretOf, newKeyId, newKeySecret, readKey, writeKey } from './key-text';
import { computeDigest } from '../base/ids';

const COLLECTION = 'access-keys';
/** 64 bits tell one secret of a key from the next. */
const STAMP_LENGTH = 16;
/** How long a process uses what it read of a key. Every process knows of a change within a second. */
const CACHE_MS = 500;
/** How many keys a tenant may have, so that no tenant takes the room of others. */
export const MAX_KEYS = 1_000;
export const MAX_KEYS_OF_TENANT = 100;
/** The hash that a key with an unknown id is compared with, so that its refusal takes as long as any other. */
const NO_HASH = hashSecret('');

/** A key of a build without tenants has none. */
type StoredKey = Omit<ListedKey, 'id' | 'tenant'> & { readonly hash: string; readonly tenant?: string };

/**
 * The keys of a deployment, hashed, in the store that all processes share. All methods throw HoldfastError `STORE_UNAVAILABLE`
 * (retryable).
 */
export interface KeyStore {
  /**
   * @throws HoldfastError `VALIDATION` if the tenant has `MAX_KEYS_OF_TENANT` already, or `MAX_KEYS` for the default one, or
   * the key would have expired
   */
  create(key: NewKey): Promise<IssuedKey>;
  /**
   * All keys, expired ones too, ordered by the time of their creation.
   * @param tenant only those of this tenant; absent: those of all
   */
  list(tenant?: string): Promise<ListedKey[]>;
  /**
   * Gives a key a new secret; the former one is refused from then on.
   * @param tenant a key of another tenant does not exist; absent: one of any tenant
   * @throws HoldfastError `KEY_NOT_FOUND`; `VALIDATION` if the key has expired, since no secret of it would be accepted
   */
  rotate(id: string, tenant?: string): Promise<IssuedKey>;
  /** Removes a key. @param tenant as in `rotate` @throws HoldfastError `KEY_NOT_FOUND` */
  revoke(id: string, tenant?: string): Promise<void>;
  /** Removes all keys of a user. */
  revokeOfUser(tenant: string, userId: string): Promise<void>;
  /**
   * Returns what stands for the present secret of a key, and is of no use for anything else; undefined if the key is unknown,
   * revoked or expired.
   */
  stampOf(id: string): Promise<string | undefined>;
  /** Returns who has the key; undefined if it is malformed, unknown, revoked or expired, or its secret is another one. */
  verify(text: string): Promise<Caller | undefined>;
}

export interface KeyStoreOptions {
  readonly documents: DocumentStore;
  /** Epoch milliseconds; default `Date.now`. */
  readonly now?: () => number;
}

interface CachedKey {
  readonly readAt: number;
  readonly key: StoredKey;
}

export function createKeyStore({ documents, now = Date.now }: KeyStoreOptions): KeyStore {
  /** Keys that exist or existed a moment ago, so it is never much larger than the store. */
  const cache = new Map<string, CachedKey>();
  const timestamp = (): string => new Date(now()).toISOString();

  async function find(id: string): Promise<StoredKey | undefined> {
    const cached = cache.get(id);
    if (cached !== undefined && now() - cached.readAt < CACHE_MS) return cached.key;
    // The age counts from before the read, because the key may change while the answer is on its way.
    const readAt = now();
    const stored = await documents.get<StoredKey>(COLLECTION, id);
    if (stored === undefined) cache.delete(id);
    else cache.set(id, { readAt, key: stored.value });
    return stored?.value;
  }

  async function readAll(): Promise<StoredDocument<StoredKey>[]> {
    const all: StoredDocument<StoredKey>[] = [];
    for (let after: string | undefined; ; after = all.at(-1)?.key) {
      const page = await documents.list<StoredKey>(COLLECTION, after === undefined ? {} : { after });
      if (page.length === 0) return all;
      all.push(...page);
    }
  }

  async function create({
    name,
    scopes,
    tenant = DEFAULT_TENANT,
    userId,
    expiresAt,
  }: NewKey): Promise<IssuedKey> {
    if (expiresAt !== undefined && Date.parse(expiresAt) <= now())
      throw validationError('expiresAt', 'must be in the future');
    const max = tenant === DEFAULT_TENANT ? MAX_KEYS : MAX_KEYS_OF_TENANT;
    const tenantKeys = (await readAll()).filter(({ value }) => tenantOf(value) === tenant);
    if (tenantKeys.length >= max) throw validationError('keys', `the tenant has ${max} keys already`);
    const id = newKeyId();
    const secret = newKeySecret();
    const key = {
      name,
      scopes,
      tenant,
      userId,
      createdAt: timestamp(),
      expiresAt: expiresAt && new Date(expiresAt).toISOString(),
    };
    const value: StoredKey = { ...key, hash: hashSecret(secret) };
    await documents.write([{ type: 'put', collection: COLLECTION, key: id, value, ifVersion: 0 }]);
    return { id, ...key, key: writeKey({ id, secret }) };
  }

  /** Reads a key for a change. @throws HoldfastError `KEY_NOT_FOUND` */
  async function existing(id: string, tenant?: string): Promise<StoredDocument<StoredKey>> {
    const stored = await documents.get<StoredKey>(COLLECTION, id);
    if (stored === undefined || (tenant !== undefined && tenantOf(stored.value) !== tenant))
      throw new HoldfastError('KEY_NOT_FOUND', `There is no key with the id ${id}`);
    return stored;
  }

  return {
    create,
    async list(tenant) {
      return (await readAll())
        .map(({ key: id, value }) => toListed(id, value))
        .filter((key) => tenant === undefined || key.tenant === tenant)
        .sort((one, other) => one.createdAt.localeCompare(other.createdAt));
    },
    rotate: (id, tenant) =>
      untilNoConflict('the keys', async () => {
        const { value, version } = await existing(id, tenant);
        if (isExpired(value, now())) throw validationError('id', 'the key has expired; create another one');
        const secret = newKeySecret();
        const rotated: StoredKey = { ...value, hash: hashSecret(secret), rotatedAt: timestamp() };
        const put = {
          type: 'put',
          collection: COLLECTION,
          key: id,
          value: rotated,
          ifVersion: version,
        } as const;
        if (!(await documents.write([put]))) return CONFLICT;
        cache.delete(id);
        return { ...toListed(id, rotated), key: writeKey({ id, secret }) };
      }),
    async revoke(id, tenant) {
      await existing(id, tenant);
      await documents.write([{ type: 'delete', collection: COLLECTION, key: id }]);
      cache.delete(id);
    },
    async revokeOfUser(tenant, userId) {
      const userKeys = (await readAll()).filter(
        ({ value }) => value.userId === userId && tenantOf(value) === tenant,
      );
      if (userKeys.length === 0) return;
      await documents.write(userKeys.map(({ key }) => ({ type: 'delete', collection: COLLECTION, key })));
      userKeys.forEach(({ key }) => cache.delete(key));
    },
    async stampOf(id) {
      const stored = await find(id);
      return stored === undefined || isExpired(stored, now())
        ? undefined
        : computeDigest(stored.hash).slice(0, STAMP_LENGTH);
    },
    async verify(text) {
      const parts = readKey(text);
      if (parts === undefined) return undefined;
      const stored = await find(parts.id);
      const isRight = isSecretOf(parts.secret, stored?.hash ?? NO_HASH);
      if (stored === undefined || !isRight || isExpired(stored, now())) return undefined;
      return {
        id: `key/${parts.id}`,
        keyId: parts.id,
        scopes: new Set(stored.scopes),
        tenant: tenantOf(stored),
        userId: stored.userId,
      };
    },
  };
}

function isExpired({ expiresAt }: StoredKey, at: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= at;
}

function tenantOf({ tenant = DEFAULT_TENANT }: StoredKey): string {
  return tenant;
}

function toListed(id: string, { hash: _hash, ...key }: StoredKey): ListedKey {
  return { id, ...key, tenant: key.tenant ?? DEFAULT_TENANT };
}
