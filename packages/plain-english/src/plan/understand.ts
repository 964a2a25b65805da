import type { ToolDescription } from '../types';
import { KNOWN_TOOLS } from '../known-tools';
import { asksForOther } from '../readers/arithmetic';
import { wholeRequest } from '../readers/http';
import { callOf } from '../readers/registered';
import type { Token, TokenText } from '../text/token';
import { tokenize } from '../text/tokenizer';
import { isStarter, joinClauses, splitClauses } from './clauses';
import { isAside } from './asides';
import { findProblem } from './check-arguments';
import { planDocuments } from './documents';
import { withPlainVerbs } from './gerunds';
import { wholeCalculation } from './whole-calculation';
import { findNegation, refuseDoubtfulChange, refuseNegation } from './negation';
import { findOtherRequest } from './other-request';
import { attempt, notUnderstood, type Problem } from './problem';
import { readClause } from './read-clause';
import { readRequests, type Requests } from './requests';
import type { ReadContext, Reading } from './reading';
import type { StepOutput } from './resolve-step';
import { parseReference, type PlannedStep } from './step';
import { refuseUnread } from './unread';

/** A line of curl is read option by option, and refused by its reader. */
const CURL = /(?:^|\s)curl\s/;

export interface Plan {
  readonly steps: readonly PlannedStep[];
}

/** Longest query that is read for tools, and longest prompt that is answered from its own text, characters. */
export const MAX_QUERY_LENGTH = 1_000;
export const MAX_PROMPT_LENGTH = 10_000;
/** Most calls in one plan. */
const MAX_STEPS = 50;
/** How many clauses one request may have been cut into. */
const MAX_JOINED = 6;

/**
 * The tool calls that a sentence asks for, in order. By rules alone: the same sentence and outputs always give the same plan.
 * @param outputs of the first calls, where these have run; documents among them are looked into
 * @throws PlainEnglishError `QUERY_NOT_UNDERSTOOD` with details `{ field, message, missing?, toolName?, extractedArgs? }`
 */
export function understand(
  query: string,
  tools: readonly ToolDescription[],
  outputs: readonly StepOutput[] = [],
  maxLength = MAX_QUERY_LENGTH,
): Plan {
  if (query.length > maxLength) {
    throw notUnderstood(`The text is longer than the ${maxLength} characters that are read for tools.`);
  }
  const text = withPlainVerbs(tokenize(query));
  if (text.tokens.length === 0) throw notUnderstood('There is no text.');
  const denied = findNegation(text, tools);
  const requests = readRequests(text, tools);
  const negation = denied && requests ? findNegation(outside(text, requests), tools) : denied;
  if (negation?.isValue === false) refuseNegation(negation);
  const steps = planDocuments(text, tools, outputs, () => {
    // A text of registered tools may hold an address as a value.
    const request = requests?.isSure === true ? undefined : wholeRequest(text, tools);
    return request ?? stepsOf(text, tools, requests);
  });
  if (steps.length > MAX_STEPS) throw notUnderstood(`More than ${MAX_STEPS} calls are asked for.`);
  for (const step of steps) checkStep(step, tools);
  refuseNegation(negation, steps);
  refuseDoubtfulChange(text, steps);
  const values = steps === requests?.steps ? requests.values : [];
  if (!CURL.test(query)) refuseUnread(text, steps, tools, values);
  return { steps };
}

function stepsOf(
  text: TokenText,
  tools: readonly ToolDescription[],
  requests: Requests | undefined,
): readonly PlannedStep[] {
  if (!requests) return wholeCalculation(text, tools) ?? byClauses(text, tools);
  if (requests.problem) return mixed(text, tools, requests.problem);
  if (requests.isSure) return requests.steps;
  return attempt(() => wholeCalculation(text, tools)).value ?? requests.steps;
}

/** A plan of calculations alone that leaves a number out is the answer to another question. */
function byClauses(text: TokenText, tools: readonly ToolDescription[]): readonly PlannedStep[] {
  const steps = new Planner(text, tools).plan();
  const used = new Set(steps.flatMap(({ args }) => Object.values(args)));
  const isCalculation = steps.every(({ toolName }) => toolName === 'calculator');
  const isUnread = ({ kind, value }: Token): boolean => kind === 'number' && !used.has(value);
  const isCorrected = text.tokens.some(({ lower }) =>
    /^(?:wait|forget|scratch|nevermind|sorry)$/.test(lower),
  );
  if (isCalculation && !isCorrected && (text.tokens.some(isUnread) || asksForOther(text.tokens)))
    throw toError({ message: 'What some of the numbers are for is not clear.', toolName: 'calculator' });
  return steps;
}

/** The plan of a text that registered tools alone do not explain, because it asks for others as well. */
function mixed(text: TokenText, tools: readonly ToolDescription[], problem: Problem): readonly PlannedStep[] {
  const calculation = attempt(() => wholeCalculation(text, tools)).value;
  const steps = calculation ?? attempt(() => new Planner(text, tools).plan()).value ?? [];
  const isMixed = steps.some(({ toolName }) => KNOWN_TOOLS.some(({ name }) => name === toolName));
  // A file is as well something to print or to send.
  // Places and degrees are values of other tools as well.
  const asksWeather = text.tokens.some(({ lower }) => lower === 'weather' || lower === 'forecast');
  const isOther = steps.every(
    ({ toolName }) => toolName === 'file_read' || (toolName === 'weather' && !asksWeather),
  );
  if (!isMixed || isOther) throw toError(problem);
  return steps;
}

/** What is no value of a call: `without telling my manager` may be one. */
function outside({ source, tokens }: TokenText, { values }: Requests): TokenText {
  const isValue = (at: number): boolean => values.some(({ start, end }) => at >= start && at < end);
  return { source, tokens: tokens.filter(({ start }) => !isValue(start)) };
}

/** The call of one given tool that a sentence asks for, even where its words alone would not choose the tool. */
export function understandFor(query: string, tool: ToolDescription): Plan {
  const { value: plan, error: problem } = attempt(() => understand(query, [tool]));
  if (!problem) {
    if (plan.steps.length <= 1) return plan;
    throw notUnderstood(`More than one call of ${tool.name} is asked for.`, { toolName: tool.name });
  }
  if (problem.details['toolName'] !== undefined) throw problem;
  // A text that the reader of calculations does not take is not a calculation, whatever numbers are in it.
  if (query.length > MAX_QUERY_LENGTH || tool.name === 'calculator') throw problem;
  const text = tokenize(query);
  const negation = findNegation(text, [tool]);
  if (negation?.isValue === false) throw problem;
  const { steps, problem: lack } = callOf(text, tool, { tools: [tool], steps: [] }, 1);
  if (lack) throw toError(lack);
  for (const step of steps) checkStep(step, [tool]);
  refuseNegation(negation, steps);
  return { steps };
}

/** Verbs of registered tools do not count here: a clause is passed over by the verbs that every request may begin with. */
const NO_VERBS: ReadonlySet<string> = new Set();

class Planner {
  private readonly clauses: readonly TokenText[];
  private steps: PlannedStep[] = [];

  constructor(
    private readonly text: TokenText,
    private readonly tools: readonly ToolDescription[],
  ) {
    this.clauses = splitClauses(text, tools);
  }

  plan(): readonly PlannedStep[] {
    let previous = { at: 0, steps: 0 };
    for (let at = 0; at < this.clauses.length;) {
      const before = this.steps.length;
      const next = this.readFrom(at) ?? this.readOnto(previous, at) ?? this.pass(at);
      if (this.steps.length > before) previous = { at, steps: before };
      at = next;
    }
    if (this.steps.length > 0) return this.steps;
    throw toError({ message: 'No tool fits what the text asks for.' });
  }

  /** Reads a clause, with the ones after it where it is not complete by itself. */
  private readFrom(at: number): number | undefined {
    const alone = this.read(at, at + 1);
    if (alone && !alone.problem) return this.accept(alone, at + 1);
    const limit = Math.min(this.clauses.length, at + MAX_JOINED);
    for (let end = at + 2; end <= limit; end++) {
      const joined = this.read(at, end);
      if (joined && !joined.problem && (alone || joined.score >= 0.9)) return this.accept(joined, end);
    }
    if (alone?.problem) throw toError(alone.problem);
    return undefined;
  }

  /** A clause may belong to the request before, as the rest of a text to send. */
  private readOnto(previous: { at: number; steps: number }, at: number): number | undefined {
    if (at === previous.at || this.steps.length === 0) return undefined;
    const kept = this.steps;
    this.steps = kept.slice(0, previous.steps);
    const joined = this.read(previous.at, at + 1);
    const changed =
      joined &&
      !joined.problem &&
      JSON.stringify(joined.steps) !== JSON.stringify(kept.slice(previous.steps));
    if (changed && joined.steps[0]?.toolName === kept[previous.steps]?.toolName)
      return this.accept(joined, at + 1);
    this.steps = kept;
    return undefined;
  }

  /** Greetings and reasons are passed over; a request that no tool serves is not. */
  private pass(at: number): number {
    const clause = this.clauses[at];
    if (!clause || isAside(clause, this.steps.length > 0, (token) => isStarter(token, NO_VERBS)))
      return at + 1;
    if (this.steps.length === 0 && at < this.clauses.length - 1 && !isStarter(clause.tokens[0], NO_VERBS))
      return at + 1;
    const shown = joinClauses(this.text, [clause]);
    const words = (findOtherRequest(shown) ?? shown.tokens.map(({ text }) => text).join(' ')).slice(0, 80);
    throw toError({ message: `No tool fits "${words}".` });
  }

  private accept(reading: Reading, next: number): number {
    this.steps = [...this.steps, ...reading.steps];
    return next;
  }

  private read(from: number, to: number): Reading | undefined {
    const context: ReadContext = { tools: this.tools, steps: this.steps };
    return readClause(joinClauses(this.text, this.clauses.slice(from, to)), context);
  }
}

function toError({ message, ...details }: Problem): Error {
  return notUnderstood(message, details);
}

/** A plan never asks for a call that the tool would refuse; what is a reference is checked when it is known. */
function checkStep({ toolName, args }: PlannedStep, tools: readonly ToolDescription[]): void {
  const tool = tools.find(({ name }) => name === toolName);
  if (!tool) throw notUnderstood(`The text asks for ${toolName}, which is not offered.`);
  const problem = findProblem(tool.parameters, args, (value) => parseReference(value) !== undefined);
  if (problem === undefined) return;
  const { name, message } = problem;
  throw notUnderstood(`${name}: ${message}`, { missing: name, toolName, extractedArgs: args });
}
