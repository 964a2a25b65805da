import { DEFAULT_TENANT } from '../tenants';

/**
 * To whom a run belongs. Its workflow id says it, which exists from the start of the run and which nothing can change:
 * `[@TENANT/]…`, and for runs of a user `[@TENANT/]KIND/USER/…`.
 */
export interface RunOwner {
  readonly tenant: string;
  /** The pseudonym of a user, whose runs alone are meant; absent: all runs of the tenant. */
  readonly user?: string | undefined;
}

/** The kinds of turns of conversations, with which their workflow ids begin. */
export const TURN_PREFIXES = ['agent-turn', 'memory-chat-turn'] as const;
/** The kind of the runs that erase a user, as their workflow ids begin. */
export const ERASURE_PREFIX = 'erase-user-memories';
/** The beginning of the workflow ids of other runs whose caller may name one user only. */
const OTHER_RUNS = 'user';
/** The kinds of runs whose ids have a user. */
const OWNED = [...TURN_PREFIXES, OTHER_RUNS];

/**
 * Completes the beginning of a workflow id. An erasure stays without its user, because it deletes the runs of that user and has to
 * go on.
 * @param prefix the kind of the run, which is followed by the user if it is a turn
 */
export function completePrefix({ tenant, user }: RunOwner, prefix: string): string {
  const [kind = ''] = prefix.split('/');
  const isComplete = user === undefined || OWNED.includes(kind) || kind === ERASURE_PREFIX;
  return tenantPrefix(tenant) + (isComplete ? prefix : userRunPrefix(user, prefix));
}

/** The beginning of the workflow ids of a kind of runs that belong to a user, even if a caller of the tenant starts them. Pure. */
export function userRunPrefix(user: string, kind: string): string {
  return `${OTHER_RUNS}/${user}/${kind}`;
}

/** The beginning of the workflow ids of a tenant; empty for the default tenant. Pure. */
export function tenantPrefix(tenant: string): string {
  return tenant === DEFAULT_TENANT ? '' : `@${tenant}/`;
}

/** Reads the tenant of a run from its workflow id. Pure. */
export function tenantOfRun(workflowId: string): string {
  return /^@([^/]+)\//.exec(workflowId)?.[1] ?? DEFAULT_TENANT;
}

/** Reads the tenant of a run, and the user whose run it is, from its workflow id. Pure. */
export function ownerOfRun(workflowId: string): RunOwner {
  const tenant = tenantOfRun(workflowId);
  const [kind = '', user = '', ...rest] = workflowId.slice(tenantPrefix(tenant).length).split('/');
  return OWNED.includes(kind) && user !== '' && rest.length > 0 ? { tenant, user } : { tenant };
}

/** Names an owner for what tenants share, and in which the users of a tenant take turns. Pure. */
export function partOf({ tenant, user = '' }: RunOwner): {
  readonly tenant: string;
  readonly caller: string;
} {
  return { tenant, caller: `${tenant}/${user}` };
}

/** Whether a run belongs to an owner. Pure. */
export function isRunOf({ tenant, user }: RunOwner, workflowId: string): boolean {
  if (tenantOfRun(workflowId) !== tenant) return false;
  return user === undefined || userPrefixes(tenant, user).some((prefix) => workflowId.startsWith(prefix));
}

/** The condition of the server's query language for the runs of an owner. Pure. */
export function ownerQuery({ tenant, user }: RunOwner): string {
  if (user !== undefined) return `(${userPrefixes(tenant, user).map(startsWith).join(' OR ')})`;
  return tenant === DEFAULT_TENANT ? `WorkflowId NOT STARTS_WITH '@'` : startsWith(tenantPrefix(tenant));
}

function userPrefixes(tenant: string, user: string): string[] {
  return OWNED.map((kind) => `${tenantPrefix(tenant)}${kind}/${user}/`);
}

/** The parts of a prefix need no escape: names of tenants, names of kinds and pseudonyms. */
function startsWith(prefix: string): string {
  return `WorkflowId STARTS_WITH '${prefix}'`;
}
