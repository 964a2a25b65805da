import { randomUUID } from 'node:crypto';

/** A text that a model is making. */
export class GrowingText {
  readonly id = randomUUID();
  readonly #listeners = new Set<() => void>();
  #text = '';
  #hasEnded = false;

  get text(): string {
    return this.#text;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** @param soFar the whole text so far */
  replace(soFar: string): void {
    this.#text = soFar;
    this.#notify();
  }

  end(): void {
    this.#hasEnded = true;
    this.#notify();
  }

  /** Calls a listener after each change. @returns a function that ends this */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

/** The texts that models are making in this process, which its server gives to the API processes that follow the runs. */
export class LiveTexts {
  readonly #texts = new Map<string, GrowingText>();
  /** Where API processes reach the server of this process, such as `http://10.0.0.7:41234`; undefined: they do not. */
  address: string | undefined;

  begin(): GrowingText {
    const text = new GrowingText();
    this.#texts.set(text.id, text);
    return text;
  }

  find(id: string): GrowingText | undefined {
    return this.#texts.get(id);
  }

  /** @returns the address of one text; undefined if there is no server */
  addressOf({ id }: GrowingText): string | undefined {
    return this.address === undefined ? undefined : `${this.address}/${id}`;
  }

  end(text: GrowingText): void {
    this.#texts.delete(text.id);
    text.end();
  }
}
