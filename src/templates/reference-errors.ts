import { shorten } from '../contracts/json';

/** Characters of a reference in an error, because errors are stored in histories. */
const SHOWN_LENGTH = 200;

/** Shortens a reference, or a part of one, for an error. Pure. */
export function showReference(text: string | number): string {
  return shorten(String(text), SHOWN_LENGTH);
}

/** A reference that cannot be resolved. It is a plain Error, so that a workflow can throw it. */
export class TemplateReferenceError extends Error {
  override readonly name = 'TemplateReferenceError';
  constructor(
    readonly expression: string,
    reason: string,
  ) {
    super(`${showReference(expression)} cannot be resolved: ${reason}`);
  }
}

/** A limit that the values of references exceed, such as their length, whatever their type. */
export class TemplateLimitError extends TemplateReferenceError {}

/** A function of a template cannot take its value, whatever its type. */
export class TemplateFunctionError extends TemplateReferenceError {
  constructor(
    expression: string,
    reason: string,
    /** True if the function has found nothing, so that a default may stand for it. */
    readonly isAbsent: boolean,
  ) {
    super(expression, reason);
  }
}
