/** What the process of a model tells the one that started it, first `loaded` or `unusable`, then an answer a text. */
export type ModelMessage =
  | { readonly kind: 'loaded'; readonly dimensions: number }
  | { readonly kind: 'unusable'; readonly reason: string }
  | { readonly kind: 'vector'; readonly vector: Float32Array }
  | { readonly kind: 'problem'; readonly reason: string };

/** What it is asked: one text at a time. */
export interface ModelRequest {
  readonly text: string;
}
