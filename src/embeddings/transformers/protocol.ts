/** A message from the process of a model to its parent: first `loaded` or `unusable`, then one answer for each text. */
export type ModelMessage =
  | { readonly kind: 'loaded'; readonly dimensions: number }
  | { readonly kind: 'unusable'; readonly reason: string }
  | { readonly kind: 'vector'; readonly vector: Float32Array }
  | { readonly kind: 'problem'; readonly reason: string };

/** A request of the parent to the process of a model. It sends one text at a time. */
export interface ModelRequest {
  readonly text: string;
}
