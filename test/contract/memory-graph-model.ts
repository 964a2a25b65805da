import * as fc from 'fast-check';
import { ulid } from 'ulid';
import { isHoldfastError } from '../../src/base/errors';
import type { MemoryGraph } from '../../src/stores/memory/memory-graph';
import { type NewRelation, type Placement, RELATION_TYPES } from '../../src/stores/memory/node';
import { episodic, semantic } from './support/memories';
import type { MemoryGraphHarness } from './support/memory-harness';
import { MemoryModel, Refusal } from './support/memory-model';

/** The place of a memory in the order of insertion, from 0. Without a memory at that place it refers to none. */
type Which = number;

interface Ties {
  readonly after: Which | undefined;
  readonly before: Which | undefined;
  readonly isPlaced: boolean;
  readonly relations: readonly (Omit<NewRelation, 'id'> & { readonly to: Which })[] | undefined;
}

type Step =
  | { readonly type: 'insert'; readonly sessionId: string | null; readonly ties: Ties }
  | { readonly type: 'update'; readonly which: Which; readonly ties: Ties }
  | { readonly type: 'delete'; readonly which: Which };

// There are few memories and sessions, so that steps use the same ones.
const which = fc.nat({ max: 7 });
const maybeWhich = fc.option(which, { nil: undefined, freq: 1 });
const relation = fc.record({
  type: fc.constantFrom(...RELATION_TYPES),
  direction: fc.constantFrom('out' as const, 'in' as const),
  to: which,
});
const ties: fc.Arbitrary<Ties> = fc.record({
  after: maybeWhich,
  before: maybeWhich,
  isPlaced: fc.boolean(),
  relations: fc.option(fc.array(relation, { maxLength: 3 }), { nil: undefined }),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('insert' as const),
      sessionId: fc.constantFrom('s', 's', 't', null, null),
      ties,
    }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('update' as const), which, ties }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('delete' as const), which }) },
);

/** Runs steps on graph and model alike, and compares their answers and then all that can be read from both. */
class Comparison {
  readonly #model = new MemoryModel();
  readonly #inserted: string[] = [];

  constructor(
    private readonly graph: MemoryGraph,
    private readonly userId: string,
  ) {}

  async take(step: Step): Promise<void> {
    const id = step.type === 'insert' ? ulid() : this.#idOf(step.which);
    const modelled = outcome(() => this.#applyToModel(step, id));
    const stored = await this.#applyToGraph(step, id).catch((error: unknown) => {
      if (isHoldfastError(error) && error.code === 'VALIDATION') return 'refused';
      throw error;
    });
    expect([step, stored]).toEqual([step, modelled]);
    if (step.type === 'insert') this.#inserted.push(id);
    const all = await this.graph.relatedOfMany(this.#inserted);
    for (const known of this.#inserted) expect(all.get(known) ?? []).toEqual(this.#model.related(known));
    expect((await this.graph.getMany(this.#inserted)).size).toBe(this.#model.memories.size);
  }

  #applyToModel(step: Step, id: string): boolean {
    if (step.type === 'delete') return this.#model.delete(id);
    const { placement, relations } = this.#resolve(step.ties);
    if (step.type === 'update') return this.#model.update(id, { ...placement, ...relations });
    const kind = step.sessionId === null ? 'semantic' : 'episodic';
    this.#model.insert(id, { kind, sessionId: step.sessionId }, placement?.placement, relations?.relations);
    return true;
  }

  async #applyToGraph(step: Step, id: string): Promise<boolean> {
    if (step.type === 'delete') return (await this.graph.delete(id)) !== undefined;
    const { placement, relations } = this.#resolve(step.ties);
    if (step.type === 'update') {
      return (await this.graph.update(id, { ...placement, ...relations })) !== undefined;
    }
    const fields = { id, userId: this.userId };
    const node =
      step.sessionId === null ? semantic(fields) : episodic({ ...fields, sessionId: step.sessionId });
    await this.graph.insert({ node, vector: null, ...placement, ...relations });
    return true;
  }

  #idOf(which: Which): string {
    return this.#inserted[which] ?? ulid();
  }

  #resolve({ after, before, isPlaced, relations }: Ties): {
    placement?: { placement: Placement };
    relations?: { relations: NewRelation[] };
  } {
    const placement: Placement = {
      ...(after !== undefined && { after: this.#idOf(after) }),
      ...(before !== undefined && { before: this.#idOf(before) }),
    };
    return {
      ...(isPlaced && { placement: { placement } }),
      ...(relations && {
        relations: { relations: relations.map(({ to, ...rest }) => ({ ...rest, id: this.#idOf(to) })) },
      }),
    };
  }
}

function outcome(change: () => boolean): boolean | 'refused' {
  try {
    return change();
  } catch (error) {
    if (error instanceof Refusal) return 'refused';
    throw error;
  }
}

export function describeMemoryModel(harness: () => MemoryGraphHarness): void {
  describe('any steps', () => {
    it('leave the order and the relations that a model has', async () => {
      const graphs = [harness().connect(), harness().connect()] as const;
      const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const comparisons = graphs.map((graph) => new Comparison(graph, ulid()));
        // The steps of both users run at once, and neither user may see memories of the other.
        for (const one of steps) for (const comparison of comparisons) await comparison.take(one);
      });
      await fc.assert(property, { numRuns: 30 });
    });
  });
}
