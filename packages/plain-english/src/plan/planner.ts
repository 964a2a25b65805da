import { spend } from '../allowance';
import { findUnread, isFiller } from '../reading/light';
import type { Lack, PlannedStep, Problem, ReadContext, Reading } from '../reading/reading';
import { notUnderstood } from '../reading/steps';
import type { ReadClause } from './readers';
import { setOf } from '../text/lexicon/words';
import { sliceTokens, textOf, type Token, type TokenText } from '../text/token';

/** Before these one request may end and the next begin. */
const JOINTS = setOf('. ? ! ; : , and & then also finally afterwards next after');
/** Most parts between joints that are read as one clause, and most parts of a sentence. */
const MAX_JOINED = 16;
const MAX_PARTS = 120;
/** Work of trying a clause, and of each of its tokens. */
const COST = 15;
const TOKEN_COST = 2;

type Steps = readonly PlannedStep[];
const NOTHING: Problem = { message: 'No tool fits what the text asks for.' };

/**
 * Cuts a sentence into clauses, each of which one reader reads as a whole. The longest clause that some reader takes is tried first, and
 * a shorter one if what is left of the sentence cannot be read.
 */
export class Planner {
  private readonly starts: readonly number[];
  private readonly dead = new Set<string>();
  /** The heaviest lack of the furthest place that clauses before it are read up to: there the sentence ends to be understood. */
  private lack: (Lack & { readonly part: number }) | undefined;

  constructor(
    private readonly text: TokenText,
    private readonly context: ReadContext,
    private readonly readAll: ReadClause,
  ) {
    this.starts = partsOf(text.tokens);
  }

  /** @throws PlainEnglishError `QUERY_NOT_UNDERSTOOD` if a part of the sentence is not read */
  plan(): Steps {
    if (this.starts.length > MAX_PARTS) throw notUnderstood('The text has too many parts.');
    const steps = this.planFrom(0, this.context.steps);
    if (steps && steps.length > 0) return steps;
    const { lack } = this;
    const { message, ...details } = lack && (lack.part > 0 || lack.weight >= 0.2) ? lack.problem : NOTHING;
    throw notUnderstood(message, details);
  }

  private planFrom(part: number, steps: Steps): Steps | undefined {
    if (part >= this.starts.length) return steps;
    const key = `${part} ${steps.length} ${steps.at(-1)?.toolName ?? ''}`;
    if (this.dead.has(key)) return undefined;
    const last = Math.min(this.starts.length, part + MAX_JOINED);
    for (let end = last; end > part; end--) {
      const reading = this.readClause(part, end, steps);
      const rest = reading && this.planFrom(end, [...steps, ...reading.steps]);
      if (rest) return rest;
    }
    this.dead.add(key);
    this.note({ problem: unclear(this.shown(part)), weight: 0.1 }, part);
    return undefined;
  }

  private readClause(part: number, end: number, steps: Steps): Pick<Reading, 'steps'> | undefined {
    const clause = sliceTokens(this.text, this.starts[part] ?? 0, this.starts[end]);
    spend(COST + TOKEN_COST * clause.tokens.length);
    if (isFiller(clause.tokens)) return { steps: [] };
    const trimmed = trim(clause);
    let best: Reading | undefined;
    for (const reading of this.readAll(trimmed, { ...this.context, steps })) {
      if (!reading) continue;
      if ('problem' in reading) this.note(reading, part);
      else if (this.isWhole(trimmed, reading, part) && reading.weight > (best?.weight ?? 0)) best = reading;
    }
    return best;
  }

  private isWhole(clause: TokenText, { read, steps }: Reading, part: number): boolean {
    const [first, ...others] = findUnread(clause.tokens, read);
    if (!first) return true;
    const from = clause.tokens.indexOf(first);
    const to = clause.tokens.indexOf(others.at(-1) ?? first) + 1;
    const words = textOf(clause, from, to).slice(0, 80);
    const share = 1 - (others.length + 1) / clause.tokens.length;
    const [step] = steps;
    const problem = { ...unclear(words), ...(step && { toolName: step.toolName }) };
    this.note({ problem, weight: 0.2 + 0.5 * share }, part);
    return false;
  }

  private note(lack: Lack, part: number): void {
    const isFurther = part > (this.lack?.part ?? -1);
    if (isFurther || (part === this.lack?.part && lack.weight > this.lack.weight))
      this.lack = { ...lack, part };
  }

  /** The words from a part up to the next mark that ends a sentence. */
  private shown(part: number): string {
    const rest = trim(sliceTokens(this.text, this.starts[part] ?? 0));
    const end = rest.tokens.findIndex(({ lower }) => /^[.?!;]$/.test(lower));
    return textOf(rest, 0, end === -1 ? undefined : end).slice(0, 80);
  }
}

function unclear(words: string): Problem {
  return { message: `What to do with "${words}" is not clear.` };
}

/** The numbers of the tokens that parts begin with; the joint is the first token of a part. */
function partsOf(tokens: readonly Token[]): readonly number[] {
  const starts = [0];
  for (const [at, { lower, kind }] of tokens.entries()) {
    const isJoint = JOINTS.has(lower) && (kind === 'word' || kind === 'symbol');
    if (isJoint && at > 0 && !isOnlyJoints(tokens.slice(starts.at(-1), at))) starts.push(at);
  }
  return starts;
}

function isOnlyJoints(tokens: readonly Token[]): boolean {
  return tokens.every(({ lower }) => JOINTS.has(lower) || lower === 'that');
}

/** A clause without the joints around it. */
function trim({ source, tokens }: TokenText): TokenText {
  const isEdge = (token: Token | undefined): boolean => token !== undefined && JOINTS.has(token.lower);
  let from = 0;
  let to = tokens.length;
  while (isEdge(tokens[from])) from++;
  if (from > 0 && tokens[from - 1]?.lower === 'after' && tokens[from]?.lower === 'that') from++;
  while (to > from && isEdge(tokens[to - 1])) to--;
  return sliceTokens({ source, tokens }, from, to);
}
