import type { RunOwner } from '../contracts/runs/run-owner';

interface Lane<J> {
  readonly user: string | undefined;
  readonly waiting: Set<J>;
  running: number;
}

interface TenantLanes<J> {
  /** By user. The one whose job was taken last is the last. */
  readonly lanes: Map<string | undefined, Lane<J>>;
  running: number;
}

/**
 * Jobs that wait for a place, and the count of those that have one. The jobs of a tenant hold at most half of the places, and those
 * of one of its users at most half of these, but at least one each. The next job is that of the tenant, and within it of the user,
 * whose turn was the longest time ago. So a caller that asks for more than its part delays itself alone, unless there is one place.
 */
export class FairQueue<J extends object> {
  /** By tenant. The one whose job was taken last is the last. */
  readonly #tenants = new Map<string, TenantLanes<J>>();
  readonly #owners = new Map<J, RunOwner>();
  readonly #maxOfTenant: number;
  readonly #maxOfUser: number;

  /** @param places the number of jobs that run at once */
  constructor(places: number) {
    this.#maxOfTenant = Math.max(1, Math.floor(places / 2));
    this.#maxOfUser = Math.max(1, Math.floor(this.#maxOfTenant / 2));
  }

  add(job: J, owner: RunOwner): void {
    this.#owners.set(job, owner);
    const tenant = this.#tenants.get(owner.tenant) ?? {
      lanes: new Map<string | undefined, Lane<J>>(),
      running: 0,
    };
    this.#tenants.set(owner.tenant, tenant);
    const lane = tenant.lanes.get(owner.user) ?? { user: owner.user, waiting: new Set<J>(), running: 0 };
    tenant.lanes.set(owner.user, lane);
    lane.waiting.add(job);
  }

  /** The next job that may have a place; undefined where no job may. It counts as running from now on. */
  take(): J | undefined {
    for (const [name, tenant] of this.#tenants) {
      if (tenant.running >= this.#maxOfTenant) continue;
      for (const lane of tenant.lanes.values()) {
        const [job] = lane.waiting;
        if (job === undefined || lane.running >= this.#maxOf(lane)) continue;
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
    return this.#laneOf(job)?.lane.waiting.has(job) === true;
  }

  /** Forgets a job that waits, or gives back the place of one that runs. It may be called again. */
  remove(job: J): void {
    const found = this.#laneOf(job);
    if (found === undefined) return;
    const { owner, tenant, lane } = found;
    this.#owners.delete(job);
    if (!lane.waiting.delete(job)) {
      lane.running -= 1;
      tenant.running -= 1;
    }
    if (lane.waiting.size === 0 && lane.running === 0) tenant.lanes.delete(owner.user);
    if (tenant.lanes.size === 0) this.#tenants.delete(owner.tenant);
  }

  /** All jobs, those that wait and those that run. */
  jobs(): J[] {
    return [...this.#owners.keys()];
  }

  /** Jobs without a user are those of the tenant itself, which may use all of its part. */
  #maxOf({ user }: Lane<J>): number {
    return user === undefined ? this.#maxOfTenant : this.#maxOfUser;
  }

  #laneOf(job: J): { owner: RunOwner; tenant: TenantLanes<J>; lane: Lane<J> } | undefined {
    const owner = this.#owners.get(job);
    const tenant = owner && this.#tenants.get(owner.tenant);
    const lane = tenant?.lanes.get(owner?.user);
    return owner && tenant && lane && { owner, tenant, lane };
  }
}

function moveToEnd<K, V>(map: Map<K, V>, key: K, value: V): void {
  map.delete(key);
  map.set(key, value);
}
