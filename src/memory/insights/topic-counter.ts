import type { Topic } from '../../contracts/http/memory-chat';
import { findTopicRuns, nameKey, type TopicWord } from './topic-words';

/** The part of a memory that has topics. */
export interface TopicSource {
  /**
   * Texts that were chosen as names: tags, a category, a concept. A name is a topic already if one memory has it.
   */
  readonly names: readonly string[];
  /** A word or phrase of this text is a topic if several memories have it. */
  readonly text: string;
  /** Importance or confidence, 0 to 1. */
  readonly weight: number;
}

interface Entry {
  /** Number of words. */
  readonly length: number;
  count: number;
  weight: number;
  isName: boolean;
  /** How often each form was written. */
  readonly forms: Map<string, number>;
}

const MAX_PHRASE = 3;
/** Minimum number of memories that make a word or phrase of their texts a topic. */
const MIN_MEMORIES = 2;
/** A word is only reported as part of a phrase if the phrase has at least this share of the word's memories. */
const ABSORBED_SHARE = 2 / 3;
/** The weight of a name's form: a name is reported as it was chosen, however texts write its words. */
const NAME_FORM = 1_000_000;
/** The weight of a form at the beginning of a sentence, where its capital says little. */
const WEAK_FORM = 0.1;

/** Counts the topics of memories: each memory once for each topic, and words with the same stem as one. */
export class TopicCounter {
  readonly #entries = new Map<string, Entry>();

  add({ names, text, weight }: TopicSource): void {
    const seen = new Set<string>();
    for (const name of names) {
      const entry = this.#note(nameKey(name), weight, seen);
      entry.isName = true;
      addForm(entry, name, NAME_FORM);
    }
    for (const run of findTopicRuns(text)) {
      for (let start = 0; start < run.length; start += 1) this.#addPhrases(run, start, weight, seen);
    }
  }

  /** Returns up to `limit` topics, ordered by count, then importance, then name. */
  topics(limit: number): Topic[] {
    const keptEntries = [...this.#entries].filter(([, entry]) => entry.isName || entry.count >= MIN_MEMORIES);
    const absorbed = new Set(keptEntries.flatMap(([key, entry]) => this.#absorbedBy(key, entry)));
    return keptEntries
      .filter(([key]) => !absorbed.has(key))
      .map(([, { count, weight, forms }]) => ({
        topic: pickForm(forms),
        count,
        importance: Math.round((weight / count) * 1_000) / 1_000,
      }))
      .sort(
        (one, other) => other.count - one.count || other.importance - one.importance || byName(one, other),
      )
      .slice(0, limit);
  }

  /** Adds the word at a place of a run, and the phrases that begin there. */
  #addPhrases(run: readonly TopicWord[], start: number, weight: number, seen: Set<string>): void {
    const formWeight = run[start]?.isFirst === true ? WEAK_FORM : 1;
    let key = '';
    let form = '';
    for (const { stem, written, isFirst } of run.slice(start, start + MAX_PHRASE)) {
      key = key === '' ? stem : `${key} ${stem}`;
      form = form === '' ? (isFirst ? uncapitalize(written) : written) : `${form} ${written}`;
      addForm(this.#note(key, weight, seen), form, formWeight);
    }
  }

  #note(key: string, weight: number, seen: Set<string>): Entry {
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = { length: key.split(' ').length, count: 0, weight: 0, isName: false, forms: new Map() };
      this.#entries.set(key, entry);
    }
    if (!seen.has(key)) {
      seen.add(key);
      entry.count += 1;
      entry.weight += weight;
    }
    return entry;
  }

  /** Finds the shorter topics that a phrase replaces. */
  #absorbedBy(key: string, { length, count }: Entry): string[] {
    if (length === 1 || length > MAX_PHRASE) return [];
    const words = key.split(' ');
    const parts: string[] = [];
    for (let size = 1; size < length; size += 1) {
      for (let start = 0; start + size <= length; start += 1)
        parts.push(words.slice(start, start + size).join(' '));
    }
    return parts.filter((part) => {
      const entry = this.#entries.get(part);
      return entry !== undefined && !entry.isName && count >= entry.count * ABSORBED_SHARE;
    });
  }
}

/** Converts `Violin` to `violin`; `SQL` stays. */
function uncapitalize(word: string): string {
  return /^\p{Lu}[\p{Ll}\p{M}'’]*$/u.test(word) ? word.toLowerCase() : word;
}

function addForm({ forms }: Entry, form: string, weight: number): void {
  forms.set(form, (forms.get(form) ?? 0) + weight);
}

/** Picks the form that people write most often; among equals the shorter, then the alphabetically first. */
function pickForm(forms: ReadonlyMap<string, number>): string {
  const [[form] = ['']] = [...forms].sort(
    ([one, times], [other, otherTimes]) =>
      otherTimes - times || one.length - other.length || (one < other ? -1 : 1),
  );
  return form;
}

function byName(one: Topic, other: Topic): number {
  return one.topic < other.topic ? -1 : 1;
}
