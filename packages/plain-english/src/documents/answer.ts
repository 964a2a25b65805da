import { calculate, type PlannedStep } from '../reading/reading';
import { plural } from '../text/base-forms';
import { findPlaces, itemsOf, NotInDocument, pathOfAll, pathText, type Place } from './fields';
import { isObject } from '../text/json-text';
import type { Question } from './question';

/** A document, and how a call gets it: its text, or the reference to the output that it is. */
export interface SourceDocument {
  readonly value: unknown;
  readonly reference: string;
}

/**
 * The calls that answer a question to a document that is there.
 * @throws NotInDocument where it does not say what is asked, or says it more than once
 */
export function answerQuestion(
  question: Question,
  { value, reference }: SourceDocument,
): readonly PlannedStep[] {
  const read = (path: string): PlannedStep => ({
    toolName: 'json_reader',
    args: { jsonString: reference, path },
  });
  if (question.kind === 'paths') return question.paths.map(read);
  let places: readonly Place[] = [{ path: [], value }];
  for (const part of [...question.parts].reverse()) places = findPlaces(places, part);
  if (question.count) {
    const counted = countOf(places);
    // A count has no call of its own: the calculator adds nothing to the number, so that the plan ends in it.
    return [typeof counted === 'number' ? calculate('add', counted, 0) : read(pathText(counted.path))];
  }
  return [read(pathOf(places, question))];
}

/** How many there are, or the field that says it: `how many goals` of `{"goals": 3}`. */
function countOf(places: readonly Place[]): number | Place {
  const [only, ...others] = places;
  if (!only) throw new NotInDocument('The document has no list of what is to be counted.');
  if (others.length > 0) {
    if (places.every(({ value }) => !Array.isArray(value))) return places.length;
    throw new NotInDocument('Which of several lists is to be counted is not clear.');
  }
  const items = itemsOf(only);
  if (items) return items.length;
  if (isObject(only.value)) return Object.keys(only.value).length;
  if (typeof only.value === 'number') return only;
  throw new NotInDocument('The document has no list of what is to be counted.');
}

function pathOf(places: readonly Place[], question: Extract<Question, { kind: 'parts' }>): string {
  const [first, ...others] = places;
  if (!first) throw new NotInDocument('The document has no item like the one that is asked about.');
  if (others.length === 0) return pathText(first.path);
  const asksAll = question.parts.some(({ select }) => select === 'all');
  const [leaf] = question.parts;
  const name = first.path.findLast((step) => typeof step === 'string') ?? '';
  const isPlural = leaf?.words.at(-1)?.toLowerCase().endsWith(plural(name.toLowerCase())) === true;
  if (!asksAll && !isPlural)
    throw new NotInDocument(
      `"${name.slice(0, 64)}" is in the document ${places.length} times; which one is not said.`,
    );
  return pathOfAll(places);
}

/** The path that a question most likely means, for a document that is not there yet. */
export function guessPath(question: Question): readonly string[] {
  if (question.kind === 'paths') return question.paths;
  const steps = [...question.parts]
    .reverse()
    .flatMap(({ words, select }) => [
      ...(words.length === 0 ? [] : [words.join('_')]),
      ...(typeof select === 'number' ? [select] : []),
    ]);
  return [pathText(steps)];
}
