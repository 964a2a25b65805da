import type { Kind, Mention } from './mentions';
import { type Context, UNKNOWN, USER } from './people';
import type { Clause } from './segments';
import { type Standing, standingOf } from './standing';
import type { KnownFact, SaidFact } from './types';

/** Facts that hold before a message and are compared with it, the latest first. */
export const MAX_KNOWN = 60;
/** Words by which a question finds a fact. */
const MAX_ABOUT = 24;
const DETAIL = ' detail';

/** One clause with what was found in it. */
export interface Part {
  readonly clause: Clause;
  readonly subject: string;
  readonly topics: ReadonlySet<string>;
  readonly about: readonly string[];
  /** Known facts whose values it mentions. */
  readonly hits: readonly { readonly fact: Standing; readonly from: number; readonly to: number }[];
  readonly mentions: readonly Mention[];
  /** Mentions that are no known value. */
  readonly free: readonly Mention[];
}

export type Value = Pick<SaidFact, 'subject' | 'attribute' | 'single'> & { readonly value: string };

/** Names of all kinds are alike: a code may take the place of a name. */
export function groupOf(kind: Kind): 'name' | 'thing' | 'number' | 'time' {
  return kind === 'thing' || kind === 'number' || kind === 'time' ? kind : 'name';
}

export function isDetail({ attribute }: { readonly attribute: string }): boolean {
  return attribute.endsWith(DETAIL);
}

export function asDetail(attribute: string): string {
  return `${attribute}${DETAIL}`;
}

/** What a message has said up to a clause, and what holds then. */
export class Reading {
  readonly said: SaidFact[] = [];
  readonly context: Context;
  standing: Standing[];
  /** What ended or gave way in this message. */
  readonly gone: Standing[] = [];
  /** What ended last, while nothing took its place. */
  ended: Standing | undefined;
  /** True after words such as `no wait`, until something was corrected. */
  corrects = false;
  /** What a clause of this message mentioned and left as it is. */
  touched: Standing | undefined;
  /** Topics of the clause before, its sentence, and the last sentence that said that something is new. */
  topics: ReadonlySet<string> = new Set();
  sentence = -1;
  newIn = -1;

  constructor(
    readonly message: string,
    known: readonly KnownFact[],
  ) {
    this.standing = known.slice(0, MAX_KNOWN).map((fact) => standingOf(fact));
    const subjects = [...new Set(this.standing.map(({ subject }) => subject))].filter((one) => one !== USER);
    const named = this.standing.filter(({ kind }) => kind !== 'thing');
    const values = new Map(named.flatMap((fact) => [...fact.marks].map((mark) => [mark, fact.subject])));
    this.context = { subjects, values, person: subjects[0] ?? UNKNOWN, last: USER, sentence: -1 };
  }

  add({ start, end }: Clause, fact: Value, about: readonly string[], more: Partial<SaidFact> = {}): void {
    const words = [...new Set(about)].slice(0, MAX_ABOUT).join(' ');
    const said: SaidFact = { ...fact, change: 'holds', about: words, start, end, ...more };
    const isOver = (one: Standing): boolean =>
      fact.single && one.subject === fact.subject && one.attribute === fact.attribute;
    this.said.push(said);
    this.standing = [standingOf({ ...said, ...fact }, said), ...this.standing.filter((one) => !isOver(one))];
  }

  /** A fact gives way to a new value. */
  replace(clause: Clause, old: Standing, value: string, about: readonly string[]): void {
    const change = this.corrects ? 'corrects' : 'holds';
    const attribute = old.attribute.replace(DETAIL, '');
    this.drop(clause, old);
    this.ended = undefined;
    this.corrects = false;
    const fact = { subject: old.subject, attribute, single: old.single, value };
    this.add(clause, fact, [...old.about, ...about], { change, replaces: old.value });
  }

  end(clause: Clause, old: Standing): void {
    this.sayEnd(clause, old);
    this.drop(clause, old);
    this.ended = old;
    this.adopt(old);
  }

  /** What was said of a value in the same clause ends with it. */
  private drop(clause: Clause, old: Standing): void {
    const isOfIt = (one: Standing): boolean =>
      one !== old &&
      one.subject === old.subject &&
      ((isDetail(one) && !isDetail(old)) || groupOf(one.kind) !== groupOf(old.kind)) &&
      [...one.about].join() === [...old.about].join();
    const groups = this.standing.filter((one) => one === old || isOfIt(one)).map(({ kind }) => groupOf(kind));
    const isList = new Set(groups).size < groups.length;
    for (const one of isList ? [] : this.standing.filter(isOfIt)) this.sayEnd(clause, one);
    this.standing = this.standing.filter((one) => one !== old && (isList || !isOfIt(one)));
    this.gone.push(old);
  }

  private sayEnd({ start, end }: Clause, { subject, attribute, single, value }: Standing): void {
    this.said.push({ subject, attribute, single, value, change: 'ends', start, end });
  }

  /** `I am at Dewsbury now, Pinderfields is behind me`: what was said just before takes the place of what ends. */
  private adopt(old: Standing): void {
    const next = this.standing.find(
      ({ said, kind, subject }) => said && kind === old.kind && subject === old.subject && !said.replaces,
    );
    const at = next?.said ? this.said.indexOf(next.said) : -1;
    if (!next?.said || at === -1 || next.kind === 'thing' || next.single) return;
    const about = [...old.about, ...next.about].join(' ');
    const { attribute, single } = old;
    const said = { ...next.said, value: next.value, attribute, single, replaces: old.value, about };
    this.said[at] = said;
    this.standing = this.standing.map((one) => (one === next ? standingOf(said, said) : one));
    this.ended = undefined;
  }
}
