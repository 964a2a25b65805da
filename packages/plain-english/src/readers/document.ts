import { aggregateAsked } from '../json/aggregate';
import { lookUp, type Asked } from '../json/asked';
import { refuseUnit } from '../json/units';
import { shown, Unclear } from '../json/unclear';
import { countAsked, countingEnd } from '../json/count';
import { readAsked, type Read } from '../json/read';
import { isForTool, queryJson } from '../json/query';
import { addUp, calculate, type PlannedStep } from '../plan/step';
import type { Token, TokenText } from '../text/token';
import { calculateAsked } from './document-arithmetic';

/** A document that a sentence is about. */
export interface SourceDocument {
  readonly value: unknown;
  /** Its text, or the reference to the output that has it. */
  readonly reference: string;
}

/**
 * The calls that answer a question about documents that are there.
 * @param before how many calls of the plan come first
 * @throws Unclear where the documents do not have what is asked, or where two places could be meant
 */
export function readDocument(
  { source, tokens }: TokenText,
  documents: readonly SourceDocument[],
  before: number,
): readonly PlannedStep[] {
  const asked = lookUp(
    tokens,
    documents.map(({ value }) => value),
  );
  const read = ({ source: number, path }: Read): PlannedStep => ({
    toolName: 'json_reader',
    args: { jsonString: documents[number]?.reference ?? '', path },
  });
  const written = writtenPaths(tokens, documents);
  if (written.length > 0) return written.map(read);
  refuseChange(asked);
  refuseBeyond(asked);
  const isCalculation = asked.words.some(({ text }, at) => isOperation(text, asked.words[at - 1]?.text));
  const count = isCalculation ? undefined : countOf(asked);
  if (count !== undefined) return [calculate('add', count, 0)];
  const aggregate = isCalculation ? undefined : aggregateAsked(asked);
  if (aggregate) refuseNumbers(asked);
  if (aggregate?.kind === 'read') return [read(aggregate.from)];
  if (aggregate) return [read(aggregate.from), ...sumOf(aggregate.values, aggregate.kind, before + 1)];
  const calculated = calculateAsked(asked, source, before);
  if (calculated) return [...calculated.reads.map(read), ...calculated.steps];
  refuseNumbers(asked);
  refuseComparison(asked);
  refuseUnit(asked);
  return readAsked(asked).map(read);
}

/** True for a word that can only be about numbers in the sentence, and not about all values of a list. */
function isOperation(word: string, before = ''): boolean {
  if (word === 'times') return before !== 'many';
  return /^(?:divide|divided|multiply|multiplied|subtract|subtracted|plus|minus|double|halve|triple)$/.test(
    word,
  );
}

/** A JSONPath query, or a path that only lacks its `$`, where the document has something there. */
function writtenPaths(tokens: readonly Token[], documents: readonly SourceDocument[]): Read[] {
  const texts = tokens.flatMap(({ kind, text }) => {
    if (kind === 'jsonpath') return [text];
    return /^[\w.[\]]+$/.test(text) && /[.[]/.test(text) ? [`$.${text.replace(/^\./, '')}`] : [];
  });
  return texts.flatMap((path) => {
    const isOnly = documents.length === 1 && isForTool(path);
    const source = isOnly ? 0 : documents.findIndex(({ value }) => (queryJson(path, value) ?? []).length > 0);
    return source === -1 ? [] : [{ source, path }];
  });
}

/** A number that no calculation and no choice of an item takes up: what is asked is not understood. */
function refuseNumbers({ tokens, words, mentions, selectors }: Asked): void {
  const used = new Set(
    [...mentions, ...selectors].flatMap(({ from, to }) => words.slice(from, to).map(({ token }) => token)),
  );
  const other = tokens.find(({ kind }, at) => kind === 'number' && !used.has(at));
  if (other) throw new Unclear(`It is not clear what the ${other.text} is for.`);
}

const BEYOND =
  /^(?:except|excluding|besides|different|distinct|unique|sorted|sort|alphabetical|alphabetically|reverse|reversed|median|random)$/;

/** What neither reading nor calculating gives. */
function refuseBeyond({ words, mentions, selectors }: Asked): void {
  const isFree = (at: number): boolean =>
    ![...mentions, ...selectors].some(({ from, to }) => at >= from && at < to);
  const other = words.find(({ text }, at) => isFree(at) && BEYOND.test(text));
  if (other) throw new Unclear(`It is not clear what ${shown(other.text)} asks for.`);
}

/** What is compared has to be a calculation, or a condition on items. */
function refuseComparison({ words, selectors }: Asked): void {
  const than = words.findIndex(({ text }) => text === 'than');
  if (than !== -1 && !selectors.some(({ from, to }) => than >= from && than < to))
    throw new Unclear('What is to be compared is not clear.');
}

const CHANGES =
  /^(?:translate|summari[sz]e|explain|describe|compose|draw|plot|remind|rewrite|rephrase|sort|delete|remove|update|change|replace|rename|send|write)$/;

/** What is to be made of a document, or of its values, beyond reading and calculating. */
function refuseChange({ words }: Asked): void {
  const verb = words.find(
    ({ text, starts }, at) =>
      CHANGES.test(text) && (starts || /^(?:please|and|then|to|you)$/.test(words[at - 1]?.text ?? '')),
  );
  if (verb) throw new Unclear(`No tool can ${verb.text} it.`);
}

/** A count has no call of its own: the calculator adds nothing to the number, so that the plan ends in it. */
function countOf(asked: Asked): number | undefined {
  const start = countingEnd(asked);
  if (start === undefined) return undefined;
  const count = countAsked(asked, start);
  if (count === undefined) return undefined;
  refuseNumbers(asked);
  return count;
}

function sumOf(values: readonly number[], kind: 'sum' | 'average', before: number): PlannedStep[] {
  const steps = addUp(values, before);
  const sum = steps.length === 0 ? (values[0] ?? 0) : `{{${before + steps.length}}}`;
  if (kind === 'average') return [...steps, calculate('divide', sum, values.length)];
  return steps.length === 0 ? [calculate('add', sum, 0)] : steps;
}
