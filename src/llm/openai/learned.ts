import type { Feature } from './refusals';

/** What a process knows of a model of a server: what it refuses, and how it answers. */
export type Trait =
  | Feature
  /** It ignores `response_format`. */
  | 'ignores_format'
  /** Its text begins within thoughts, which its chat template has opened. */
  | 'opens_in_thoughts'
  /** Its thoughts need more room than a call usually has. */
  | 'thinks_long';

/** The names of models come from callers, so their number is limited. */
const MAX_MODELS = 500;

/** What one call knows of its model. */
export interface CallKnowledge {
  has(trait: Trait): boolean;
  /** Takes a trait for granted in the rest of the call. */
  suppose(trait: Trait): void;
  /** Remembers what was supposed, since the server has answered. */
  confirm(): void;
}

/** What is known of the models of one server, for as long as the process runs. */
export class Learned {
  readonly #byModel = new Map<string, ReadonlySet<Trait>>();

  forCall(model: string): CallKnowledge {
    const supposed = new Set<Trait>();
    const known = (): ReadonlySet<Trait> => this.#byModel.get(model) ?? new Set();
    return {
      has: (trait) => supposed.has(trait) || known().has(trait),
      suppose: (trait) => void supposed.add(trait),
      confirm: () => {
        if ([...supposed].every((trait) => known().has(trait))) return;
        const all = new Set([...known(), ...supposed]);
        this.#byModel.delete(model);
        this.#byModel.set(model, all);
        const [first] = this.#byModel.keys();
        if (this.#byModel.size > MAX_MODELS && first !== undefined) this.#byModel.delete(first);
      },
    };
  }
}
