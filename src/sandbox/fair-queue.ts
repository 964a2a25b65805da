import type { RunOwner } from '../contracts/runs/run-owner';

/** The jobs of a user, or those of a tenant that belong to no user. */
interface Lane<J> {
  readonly user: string | undefined;
  readonly waiting: Set<J>;
  running: number;
}

interface TenantLanes<J> {
  /** By user. The one whose job was taken last is the last. */
  readonly lanes: Map<string | undefined, Lane<J>>;
  running: number;
  /** Jobs that wait or run. */
  jobs: number;
}

/** What the jobs of a tenant may have at most, and those of one of its users. */
interface Part {
  readonly ofTenant: number;
  readonly ofUser: number;
}

/**
 * Jobs that wait for a place, and those that have one. The jobs of a tenant hold at most half of the places, and those of one of its
 * users at most half of these, but at least one each. The next job is that of the tenant, and within it of the user, whose turn was
 * the longest time ago. So a caller that asks for more than its part delays itself alone, unless there is one place.
 */
export class FairQueue<J extends object> {
  /** By tenant. The one whose job was taken last is the last. */
  readonly #tenants = new Map<string, TenantLanes<J>>();
  readonly #owners = new Map<J, RunOwner>();
  readonly #places: Part;
  readonly #jobs: Part;

  /**
   * @param places the number of jobs that run at once
   * @param jobs the number of jobs that may wait or run, of which callers have the same parts as of the places
   */
  constructor(places: number, jobs = Infinity) {
    this.#places = partsOf(places);
    this.#jobs = partsOf(Math.max(places, jobs));
  }

  /** Adds a job. Returns false if its caller has its part of the jobs already. */
  add(job: J, owner: RunOwner): boolean {
    const tenant = this.#tenants.get(owner.tenant) ?? {
      lanes: new Map<string | undefined, Lane<J>>(),
      running: 0,
      jobs: 0,
    };
    const lane = tenant.lanes.get(owner.user) ?? { user: owner.user, waiting: new Set<J>(), running: 0 };
    if (tenant.jobs >= this.#jobs.ofTenant) return false;
    if (lane.running + lane.waiting.size >= maxOf(this.#jobs, lane)) return false;
    this.#tenants.set(owner.tenant, tenant);
    tenant.lanes.set(owner.user, lane);
    this.#owners.set(job, owner);
    lane.waiting.add(job);
    tenant.jobs += 1;
    return true;
  }

  /** The next job that may have a place; undefined if no job may. It counts as running from now on. */
  take(): J | undefined {
    for (const [name, tenant] of this.#tenants) {
      if (tenant.running >= this.#places.ofTenant) continue;
      for (const lane of tenant.lanes.values()) {
        const [job] = lane.waiting;
        if (job === undefined || lane.running >= maxOf(this.#places, lane)) continue;
        lane.waiting.delete(job);
        lane.running += 1;
        tenant.running += 1;
        moveToEnd(tenant.lanes, lane.user, lane);
        moveToEnd(this.#tenants, name, tenant);
        return job;
      }
    }
    return undefined;
  }

  isWaiting(job: J): boolean {
    return this.#find(job)?.lane.waiting.has(job) === true;
  }

  /** Forgets a job that waits, or gives back the place of one that runs. It may be called again. */
  remove(job: J): void {
    const entry = this.#find(job);
    if (entry === undefined) return;
    const { owner, tenant, lane } = entry;
    this.#owners.delete(job);
    tenant.jobs -= 1;
    if (!lane.waiting.delete(job)) {
      lane.running -= 1;
      tenant.running -= 1;
    }
    if (lane.waiting.size === 0 && lane.running === 0) tenant.lanes.delete(owner.user);
    if (tenant.jobs === 0) this.#tenants.delete(owner.tenant);
  }

  /** All jobs, those that wait and those that run. */
  jobs(): J[] {
    return [...this.#owners.keys()];
  }

  #find(job: J): { owner: RunOwner; tenant: TenantLanes<J>; lane: Lane<J> } | undefined {
    const owner = this.#owners.get(job);
    const tenant = owner && this.#tenants.get(owner.tenant);
    const lane = tenant?.lanes.get(owner?.user);
    return owner && tenant && lane && { owner, tenant, lane };
  }
}

function partsOf(all: number): Part {
  const ofTenant = Math.max(1, Math.floor(all / 2));
  return { ofTenant, ofUser: Math.max(1, Math.floor(ofTenant / 2)) };
}

/** Jobs without a user are those of the tenant itself, which may use all of its part. */
function maxOf(part: Part, { user }: Lane<object>): number {
  return user === undefined ? part.ofTenant : part.ofUser;
}

function moveToEnd<K, V>(map: Map<K, V>, key: K, value: V): void {
  map.delete(key);
  map.set(key, value);
}
