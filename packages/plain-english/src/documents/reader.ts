import type { PlannedStep, ReadContext, Reader } from '../reading/reading';
import { calculate, hasDocument, hasTool, referenceBack } from '../reading/steps';
import { plural } from '../text/stem';
import type { Token } from '../text/token';
import { findPlaces, itemsOf, NotInDocument, pathOfAll, pathText, type Place } from './fields';
import { isObject, parseJson } from '../text/json-text';
import { beginsQuestion, readQuestion, type Question } from './question';

const WEIGHT = 1.2;
const OPAQUE = new Set(['url', 'domain', 'email', 'file']);

/** A document, and how a call gets it: its text, or the reference to the output that it is. */
interface SourceDocument {
  readonly value: unknown;
  readonly reference: string;
}

/** Reads a clause as a question to a JSON text in it, or to the document that the step before has brought. */
export const readDocument: Reader = ({ tokens }, context) => {
  if (!hasTool(context, 'json_reader') || tokens.some(({ kind }) => OPAQUE.has(kind))) return undefined;
  const [json, other] = tokens.filter(({ kind }) => kind === 'json');
  if (other || (!json && !hasDocument(context))) return undefined;
  const rest = tokens.filter((token) => token !== json);
  if (!json && !beginsQuestion(rest)) return undefined;
  const question = readQuestion(rest);
  if (!question) return undefined;
  const document = json ? { value: json.value, reference: json.text } : earlierDocument(context);
  return readAnswer(question, document, referenceBack(context) ?? '', tokens);
};

/** The reading of a question, by the document if it is there, else by its words. */
export function readAnswer(
  question: Question,
  document: SourceDocument | undefined,
  reference: string,
  tokens: readonly Token[],
): ReturnType<Reader> {
  try {
    const steps = document
      ? answerQuestion(question, document)
      : guessPath(question).map((path) => readStep(reference, path));
    return { steps, read: new Set(tokens), weight: WEIGHT };
  } catch (error) {
    if (!(error instanceof NotInDocument)) throw error;
    return { problem: { message: error.message, missing: 'path', toolName: 'json_reader' }, weight: 0.9 };
  }
}

function readStep(reference: string, path: string): PlannedStep {
  return { toolName: 'json_reader', args: { jsonString: reference, path } };
}

function earlierDocument({ steps, outputs }: ReadContext): SourceDocument | undefined {
  return outputs.length < steps.length
    ? undefined
    : documentOf(steps.length, outputs[steps.length - 1]?.output);
}

/** @throws NotInDocument if the output of a step is no JSON */
export function documentOf(step: number, output: unknown): SourceDocument | undefined {
  if (output === undefined || !isObject(output)) return undefined;
  const part = Object.hasOwn(output, 'content') ? 'content' : 'data';
  const data = output[part];
  const reference = `{{${step}.${part}}}`;
  const json = typeof data === 'string' ? parseJson(data) : { value: data };
  return json && { ...json, reference };
}

/**
 * The calls that answer a question to a document that is there.
 * @throws NotInDocument if it does not say what is asked, or says it more than once
 */
function answerQuestion(question: Question, { value, reference }: SourceDocument): readonly PlannedStep[] {
  const read = (path: string): PlannedStep => readStep(reference, path);
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

const NO_LIST = 'The document has no list of what is to be counted.';

/** How many there are, or the field that says it: `how many goals` of `{"goals": 3}`. */
function countOf(places: readonly Place[]): number | Place {
  const [only, ...others] = places;
  if (!only) throw new NotInDocument(NO_LIST);
  if (others.length > 0) {
    if (places.every(({ value }) => !Array.isArray(value))) return places.length;
    throw new NotInDocument('Which of several lists is to be counted is not clear.');
  }
  const items = itemsOf(only);
  if (items) return items.length;
  if (isObject(only.value)) return Object.keys(only.value).length;
  if (typeof only.value === 'number') return only;
  throw new NotInDocument(NO_LIST);
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
function guessPath(question: Question): readonly string[] {
  if (question.kind === 'paths') return question.paths;
  const steps = [...question.parts]
    .reverse()
    .flatMap(({ words, select }) => [
      ...(words.length === 0 ? [] : [words.join('_')]),
      ...(typeof select === 'number' ? [select] : []),
    ]);
  return [pathText(steps)];
}
