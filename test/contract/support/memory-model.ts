import type {
  MemoryChange,
  MemoryKind,
  NewRelation,
  Placement,
  RelatedMemory,
  Relationship,
} from '../../../src/stores/memory/node';

export interface ModelMemory {
  readonly kind: MemoryKind;
  readonly sessionId: string | null;
}

interface Edge {
  readonly type: NewRelation['type'];
  readonly source: string;
  readonly target: string;
}

const RANK: Readonly<Record<Relationship, number>> = {
  previous: 0,
  next: 1,
  child: 2,
  parent: 3,
  related: 4,
  similar: 5,
};

/** Thrown if the port has to refuse the step. */
export class Refusal extends Error {}

/** Order and relations of one user's memories in the simplest possible code. A refused step changes nothing. */
export class MemoryModel {
  memories = new Map<string, ModelMemory>();
  private sessions = new Map<string, string[]>();
  private edges: Edge[] = [];

  insert(id: string, memory: ModelMemory, placement?: Placement, relations?: readonly NewRelation[]): void {
    this.orNothing(() => {
      this.memories.set(id, memory);
      this.place(id, placement ?? {}, memory.kind === 'semantic' && placement === undefined);
      this.relate(id, relations);
    });
  }

  update(id: string, { placement, relations }: MemoryChange): boolean {
    if (!this.memories.has(id)) return false;
    this.orNothing(() => {
      if (placement !== undefined) this.place(id, placement);
      this.relate(id, relations);
    });
    return true;
  }

  delete(id: string): boolean {
    this.detach(id);
    this.edges = this.edges.filter(({ source, target }) => source !== id && target !== id);
    return this.memories.delete(id);
  }

  related(id: string): RelatedMemory[] {
    const found: RelatedMemory[] = [];
    for (const order of this.sessions.values()) {
      const at = order.indexOf(id);
      if (at === -1) continue;
      if (at > 0) found.push({ id: order[at - 1] ?? '', relationship: 'previous' });
      if (at < order.length - 1) found.push({ id: order[at + 1] ?? '', relationship: 'next' });
    }
    for (const { type, source, target } of this.edges) {
      if (source === id) found.push({ id: target, relationship: type });
      else if (target === id) found.push({ id: source, relationship: type === 'parent' ? 'child' : type });
    }
    return found.sort((x, y) => RANK[x.relationship] - RANK[y.relationship] || (x.id < y.id ? -1 : 1));
  }

  private orNothing(change: () => void): void {
    const before = structuredClone({ memories: this.memories, sessions: this.sessions, edges: this.edges });
    try {
      change();
    } catch (error) {
      Object.assign(this, before);
      throw error;
    }
  }

  private detach(id: string): void {
    for (const [name, order] of this.sessions) {
      this.sessions.set(
        name,
        order.filter((other) => other !== id),
      );
    }
  }

  private place(id: string, { after, before }: Placement, isPlaceless = false): void {
    if (isPlaceless) return;
    const sessionId = this.memories.get(id)?.sessionId ?? null;
    if (sessionId === null) throw new Refusal('no session');
    this.detach(id);
    const order = [...(this.sessions.get(sessionId) ?? [])];
    const at = (other: string): number => {
      const index = order.indexOf(other);
      if (index === -1) throw new Refusal('not there');
      return index;
    };
    let place = order.length;
    if (after !== undefined) place = at(after) + 1;
    if (before !== undefined) {
      if (after !== undefined && at(before) !== place) throw new Refusal('no neighbours');
      place = at(before);
    }
    order.splice(place, 0, id);
    this.sessions.set(sessionId, order);
  }

  private relate(id: string, relations: readonly NewRelation[] | undefined): void {
    if (relations === undefined) return;
    this.edges = this.edges.filter(({ source, target }) => source !== id && target !== id);
    const parents = new Set<string>();
    for (const { type, direction, id: other } of relations) {
      const [mine, theirs] = [this.memories.get(id), this.memories.get(other)];
      if (other === id || mine === undefined || theirs === undefined) throw new Refusal('not there');
      if (type !== 'related' && (mine.kind !== 'semantic' || theirs.kind !== 'semantic')) {
        throw new Refusal('wrong kind');
      }
      if (type === 'parent') this.adopt(direction === 'out' ? id : other, direction === 'out' ? other : id);
      else if (!this.edges.some((edge) => edge.type === type && isBetween(edge, id, other))) {
        this.edges.push({ type, source: id, target: other });
      }
      if (type === 'parent' && direction === 'out') parents.add(other);
    }
    if (parents.size > 1) throw new Refusal('two parents');
    const seen = new Set([id]);
    for (let up = this.parentOf(id); up !== undefined; up = this.parentOf(up)) {
      if (seen.has(up)) throw new Refusal('circle');
      seen.add(up);
    }
  }

  private adopt(child: string, parent: string): void {
    this.edges = this.edges.filter(({ type, source }) => type !== 'parent' || source !== child);
    this.edges.push({ type: 'parent', source: child, target: parent });
  }

  private parentOf(id: string): string | undefined {
    return this.edges.find(({ type, source }) => type === 'parent' && source === id)?.target;
  }
}

function isBetween({ source, target }: Edge, one: string, other: string): boolean {
  return (source === one && target === other) || (source === other && target === one);
}
