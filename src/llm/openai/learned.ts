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

/** How long a trait is believed, milliseconds: a wrong one heals by this, and servers are replaced. */
const KEEP_MS = 3_600_000;

/** What one call knows of its model. */
export interface CallKnowledge {
  has(trait: Trait): boolean;
  /** Takes a trait for granted until it is confirmed or dropped. */
  suppose(trait: Trait): void;
  /** Remembers what was supposed, since the server has answered. */
  confirm(): void;
  /** Forgets what was supposed, since the server has not answered the other way either. */
  drop(): void;
}

/** What is known of the models of one server, each trait for an hour after it was last confirmed. */
export class Learned {
  readonly #byModel = new Map<string, Map<Trait, number>>();
  readonly #now: () => number;

  /** @param options `now`: the clock, milliseconds */
  constructor({ now = () => performance.now() }: { readonly now?: () => number } = {}) {
    this.#now = now;
  }

  forCall(model: string): CallKnowledge {
    const supposed = new Set<Trait>();
    return {
      has: (trait) => supposed.has(trait) || this.#isKnown(model, trait),
      suppose: (trait) => void supposed.add(trait),
      confirm: () => {
        if (supposed.size > 0) this.#remember(model, supposed);
        supposed.clear();
      },
      drop: () => supposed.clear(),
    };
  }

  #isKnown(model: string, trait: Trait): boolean {
    return (this.#byModel.get(model)?.get(trait) ?? -Infinity) > this.#now();
  }

  #remember(model: string, traits: ReadonlySet<Trait>): void {
    const known = this.#byModel.get(model) ?? new Map<Trait, number>();
    for (const trait of traits) known.set(trait, this.#now() + KEEP_MS);
    this.#byModel.delete(model);
    this.#byModel.set(model, known);
    const [first] = this.#byModel.keys();
    if (this.#byModel.size > MAX_MODELS && first !== undefined) this.#byModel.delete(first);
  }
}
