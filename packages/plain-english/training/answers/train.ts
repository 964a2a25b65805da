import { type Features, shareOf, type Weights } from '../../src/facts/answers/features';
import { heldFeatures, linkedFeatures, type Model, weighAlone } from '../../src/facts/answers/rank';
import { type Example, has } from './examples';
import { boost } from './boost';
import { fitLists, fitShares } from './fit';
import type { List } from './rows';

const OPTIONS = { l2: 0.0008, iterations: 60 } as const;
const TREES = { trees: 100, rate: 0.1, minCandidates: 15 } as const;
/** Lists that have a feature of the third look, or it is left out. */
const MIN_LISTS = 12;
/** Parts into which authors are divided for that. */
const PARTS = 11;
/** Decimals of a weight. */
const DECIMALS = 3;

/** Trains the three looks, each on what the one before it says of examples of authors that it was not fitted with. Deterministic. */
export function trainAnswers(examples: readonly Example[]): Model {
  const fitValues = (some: readonly Example[]): Weights =>
    fitShares(
      some.map((one) => valueList(one, one.read.features)),
      OPTIONS,
    );
  const alone = crossFit(examples, fitValues, ({ read }, weights) => weighAlone(read, weights));
  const linksOf = (one: Example): Features[] => linkedFeatures(one.read, alone.get(one) ?? []);
  const fitLinks = (some: readonly Example[]): Weights =>
    fitShares(
      some.map((one) => valueList(one, linksOf(one))),
      OPTIONS,
    );
  const linked = crossFit(examples, fitLinks, (one, weights) =>
    linksOf(one).map((each) => shareOf(each, weights)),
  );
  const lists = withoutRare(examples.map((one) => heldList(one, linked.get(one) ?? [])));
  const holds = round(fitLists(lists, OPTIONS));
  return {
    values: round(fitValues(examples)),
    links: round(fitLinks(examples)),
    holds,
    trees: boost(lists, holds, TREES),
  };
}

/** Right are mentions of what is a value now, or was one. */
function valueList({ read, right, stale }: Example, candidates: readonly Features[]): List {
  return { candidates, right: read.mentions.map(({ text }) => has(text, right) || has(text, stale)) };
}

function heldList({ read, right, stale, never }: Example, linked: readonly number[]): List {
  const { values, features } = heldFeatures(read, linked);
  const isRight = values.map(
    ({ best: { text } }) => has(text, right) && !has(text, stale) && !has(text, never),
  );
  return { candidates: features, right: [...isRight, right.length === 0] };
}

/** Leaves out features that few lists have, above all words. */
function withoutRare(lists: readonly List[]): List[] {
  const counts = new Map<string, number>();
  for (const { candidates } of lists)
    for (const name of new Set(candidates.flatMap((one) => [...one.keys()])))
      counts.set(name, (counts.get(name) ?? 0) + 1);
  const isCommon = ([name]: readonly [string, number]): boolean => (counts.get(name) ?? 0) >= MIN_LISTS;
  return lists.map(({ candidates, right }) => ({
    candidates: candidates.map((one) => new Map([...one].filter(isCommon))),
    right,
  }));
}

/** Applies to the examples of some authors what was fitted with those of all others. */
function crossFit<T>(
  examples: readonly Example[],
  fit: (some: readonly Example[]) => Weights,
  apply: (one: Example, weights: Weights) => T,
): Map<Example, T> {
  const found = new Map<Example, T>();
  const authors = [...new Set(examples.map((one) => one.author))].sort();
  for (let part = 0; part < PARTS; part++) {
    const isLeftOut = ({ author }: Example): boolean => authors.indexOf(author) % PARTS === part;
    const weights = fit(examples.filter((one) => !isLeftOut(one)));
    for (const one of examples.filter(isLeftOut)) found.set(one, apply(one, weights));
  }
  return found;
}

function round(weights: Weights): Weights {
  const sorted = Object.entries(weights).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(
    sorted
      .map(([name, weight]) => [name, Number(weight.toFixed(DECIMALS))] as const)
      .filter(([, weight]) => weight !== 0),
  );
}
