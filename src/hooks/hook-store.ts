import type { Scope } from '../contracts/http/access';
import type { Verification } from '../contracts/http/hooks';
import { HoldfastError, validationError } from '../base/errors';
import type { SecretBox } from '../secrets/secret-box';
import type { TenantDocuments } from '../stores/documents';

/** A hook as it is stored. */
export interface StoredHook {
  readonly id: string;
  readonly workflowId: string;
  readonly verify: Verification;
  /** Sealed in the store. */
  readonly secret: string;
  readonly scopes: readonly Scope[];
  /** ISO 8601. */
  readonly createdAt: string;
}

/** The hooks of a tenant. All methods throw `STORE_UNAVAILABLE` (retryable). */
export interface HookStore {
  find(id: string): Promise<StoredHook | undefined>;
  /** @throws HoldfastError `HOOK_NOT_FOUND` */
  get(id: string): Promise<StoredHook>;
  /** In the order of their ids. */
  list(): Promise<StoredHook[]>;
  /** Seals the secret of a hook and stores it, or replaces that of its id. @throws HoldfastError `VALIDATION` if the tenant has too many */
  put(hook: StoredHook): Promise<void>;
  /** @throws HoldfastError `STORE_UNAVAILABLE` if the key of the service is another one now */
  secretOf(hook: StoredHook): string;
  /** @throws HoldfastError `HOOK_NOT_FOUND` */
  remove(id: string): Promise<void>;
}

const COLLECTION = 'hooks';
const MAX_HOOKS = 100;

/** @param tenant whose hooks they are, so that no sealed secret can be used for another tenant's */
export function createHookStore(documents: TenantDocuments, secrets: SecretBox, tenant: string): HookStore {
  const purposeOf = (id: string): string => `hook/${tenant}/${id}`;
  const find = async (id: string): Promise<StoredHook | undefined> =>
    (await documents.get<StoredHook>(COLLECTION, id))?.value;
  const get = async (id: string): Promise<StoredHook> => {
    const hook = await find(id);
    if (hook === undefined) throw new HoldfastError('HOOK_NOT_FOUND', `There is no hook "${id}"`);
    return hook;
  };
  return {
    find,
    get,
    list: async () => (await documents.list<StoredHook>(COLLECTION)).map(({ value }) => value),
    async put(hook) {
      const others = (await documents.list<StoredHook>(COLLECTION)).filter(({ key }) => key !== hook.id);
      if (others.length >= MAX_HOOKS) throw validationError('id', `There are ${MAX_HOOKS} hooks already`);
      const value: StoredHook = { ...hook, secret: secrets.seal(hook.secret, purposeOf(hook.id)) };
      await documents.write([{ type: 'put', collection: COLLECTION, key: hook.id, value }]);
    },
    secretOf: ({ id, secret }) => secrets.open(secret, purposeOf(id)),
    async remove(id) {
      await get(id);
      await documents.write([{ type: 'delete', collection: COLLECTION, key: id }]);
    },
  };
}
