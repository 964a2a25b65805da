/** A reference, such as `order.result.items[0].id`. */
export interface TemplateReference {
  /** The text of the template that has the reference, as it is written, including its braces. */
  readonly text: string;
  /** The first name, whose value the scope provides. */
  readonly root: string;
  /** Property names and array indexes below the root. */
  readonly path: readonly (string | number)[];
  /** How earlier builds read quoted names that have a backslash, by the names as they are read now. */
  readonly earlierNames?: Readonly<Record<string, string>>;
  /** True if a default follows, so that the value may be absent. */
  readonly isOptional?: true;
}

/** What is done with the value before it. */
export type TemplateOperation =
  /** Replaces an absent value or `null`. */
  | { readonly kind: 'default'; readonly value: string | number | boolean | null }
  | { readonly kind: 'default'; readonly reference: TemplateReference }
  | { readonly kind: 'function'; readonly name: string; readonly argument?: string };

/** An expression inside double braces, as in `{{previous_result.items[0].id ?? "none" | upper}}`. */
export interface TemplateExpression extends TemplateReference {
  /** What follows the first reference, in order; absent for a reference alone. */
  readonly then?: readonly TemplateOperation[];
}

/** A part of a template text: literal text or an expression. */
export type TemplatePart = string | TemplateExpression;
