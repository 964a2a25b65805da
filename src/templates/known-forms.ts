import { KEEP, type TemplateScope } from './evaluate-expression';
import { isEarlierForm } from './expression-reader';

/**
 * Keeps the text of templates that earlier builds did not resolve: those with defaults, functions, other quotes or letters, and
 * those in names of properties.
 * @param readsAll false if a run repeats what it did with an earlier build; asked only if it counts
 */
export function withKnownForms(scope: TemplateScope, readsAll: () => boolean): TemplateScope {
  return (reference, isName = false) => {
    const isKnown = !isName && isEarlierForm(reference.text);
    return isKnown || readsAll() ? scope(reference, isName) : KEEP;
  };
}
