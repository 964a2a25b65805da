import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createIntentClassifier, type IntentType } from '../src';
import { AREAS, readAreaCases, scoreAreaCase, type Area } from '../test/support/area-scoring';
import { readCases, score } from '../test/support/recalled-scoring';
import { readSentences, scoreSentences } from '../test/support/sentences';

export type Outcome = 'right' | 'wrong' | 'refused';

/** One labelled case of any set. It never shows its sentence, because held-out sets are counted and not read. */
export interface LabelledCase {
  readonly set: string;
  /** True where no rule is written with the set. */
  readonly isHeldOut: boolean;
  readonly run: () => Outcome;
}

interface IntentFile {
  readonly sentences: readonly {
    readonly type: IntentType;
    readonly query: string;
    readonly previous?: readonly IntentType[];
  }[];
}

/** @param test the folder with the sets */
export function readLabelledCases(test: string): readonly LabelledCase[] {
  const inFolder = (folder: string, read: (path: string) => readonly (() => Outcome)[]): LabelledCase[] =>
    readdirSync(join(test, folder))
      .filter((file) => file.endsWith('.json'))
      .flatMap((file) => {
        const set = `${folder}/${file.replace('.json', '')}`;
        const isHeldOut = /held-out|other-author/.test(set);
        return read(join(test, folder, file)).map((run) => ({ set, isHeldOut, run }));
      });
  return [
    ...inFolder('sentences', sentencesOf),
    ...inFolder('recalled', recalledOf),
    ...inFolder('intents', intentsOf),
    ...inFolder('areas/development', areaOf),
    ...inFolder('areas/held-out', areaOf),
  ];
}

function sentencesOf(path: string): readonly (() => Outcome)[] {
  const { tools, sentences } = readSentences(path, '');
  return sentences.map((sentence) => () => {
    const { right, failures } = scoreSentences({ tools, sentences: [sentence] });
    return right === 1 ? 'right' : /\n {4}got +\[/.test(failures[0] ?? '') ? 'wrong' : 'refused';
  });
}

function recalledOf(path: string): readonly (() => Outcome)[] {
  return readCases(path).map((one) => () => outcomeOf(score([one])));
}

function intentsOf(path: string): readonly (() => Outcome)[] {
  const classifier = createIntentClassifier();
  const { sentences } = JSON.parse(readFileSync(path, 'utf8')) as IntentFile;
  return sentences.map(
    ({ type, query, previous = [] }) =>
      () =>
        classifier.classify(query, { previousIntents: previous }).type === type ? 'right' : 'wrong',
  );
}

function areaOf(path: string): readonly (() => Outcome)[] {
  const [, folder = '', name = ''] = /^(.*)[\\/]([\w-]+)\.json$/.exec(path) ?? [];
  if (name === 'tools') return sentencesOf(path);
  if (name.startsWith('memory')) return recalledOf(path);
  const area = AREAS.find((one): one is Area => one === name);
  if (area === undefined) return [];
  return readAreaCases(area, folder).map((one) => () => outcomeOf(scoreAreaCase(area, one)));
}

function outcomeOf({ right, wrong }: { readonly right: number; readonly wrong: number }): Outcome {
  return right === 1 ? 'right' : wrong === 1 ? 'wrong' : 'refused';
}
