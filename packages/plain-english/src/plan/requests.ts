import type { ToolDescription } from '../types';
import { lowerAt, sliceTokens, type TokenText } from '../text/token';
import {
  isComplete,
  isMeant,
  readTools,
  registeredTools,
  toReading,
  type ToolReading,
} from '../readers/registered';
import type { ReadContext } from './reading';
import type { Problem } from './problem';
import { parseReference, type PlannedStep } from './step';

/** Longest text that is read as a whole, tokens. */
const MAX_TOKENS = 120;
/** The maximum number of places where one request may end and the next begin; a text with more is not cut. */
const MAX_CUTS = 8;

/** Calls of registered tools, and the words that switch their yes-or-no parameters. */
export interface Requests {
  readonly steps: readonly PlannedStep[];
  /** Places in the source of what was read as the value of a parameter. */
  readonly values: readonly { readonly start: number; readonly end: number }[];
  /** Set where a tool seems to be meant and its call is not clear; the steps are then empty. */
  readonly problem?: Problem;
  /** True where both words and values say that no calculation is meant. */
  readonly isSure: boolean;
}

/**
 * A text that asks for registered tools alone, read as a whole: what belongs to one call may stand in several sentences.
 * Undefined where it is about something else, or asks for other tools too.
 */
export function readRequests(text: TokenText, tools: readonly ToolDescription[]): Requests | undefined {
  if (registeredTools(tools).length === 0 || text.tokens.length > MAX_TOKENS) return undefined;
  return new RequestReader(text, tools).read();
}

class RequestReader {
  private readonly cuts: readonly number[];
  private readonly known = new Map<string, ToolReading | undefined>();

  constructor(
    private readonly text: TokenText,
    private readonly tools: readonly ToolDescription[],
  ) {
    const cuts = cutsOf(text);
    this.cuts = [...(cuts.length > MAX_CUTS ? [] : cuts), text.tokens.length];
  }

  read(): Requests | undefined {
    const whole = this.readPart(0, this.text.tokens.length, []);
    const parts = this.split(0, []);
    if (parts) return toRequests(parts);
    if (!whole) return undefined;
    if (isComplete(whole)) return toRequests([whole]);
    const problem = toReading(whole, 1).problem;
    return problem && isMeant(whole) ? { ...toRequests([whole]), steps: [], problem } : undefined;
  }

  /** The calls from a token on, as many as there are complete ones; undefined where there is one or none. */
  private split(from: number, before: readonly PlannedStep[]): readonly ToolReading[] | undefined {
    for (const to of this.cuts) {
      const isAll = from === 0 && to === this.text.tokens.length;
      if (to <= from || isAll || (from > 0 && this.isDenied(from))) continue;
      const part = this.readPart(from, to, before);
      if (!part || !isComplete(part) || part.extraction.repeats || !givesOwn(part)) continue;
      // `transfer 20 euros to Ann and 30 to Bob` may mean one call or two.
      if (from > 0 && (part.wording['named'] ?? 0) === 0 && part.evidence.telling === 0) continue;
      if (to === this.text.tokens.length) return [part];
      const rest = this.split(to, [...before, toStep(part)]);
      if (rest) return [part, ...rest];
    }
    return undefined;
  }

  /** `Do not notify them` is a part of the request before. */
  private isDenied(from: number): boolean {
    const [first = '', second = ''] = [0, 1].map((offset) => lowerAt(this.text.tokens, from + offset));
    return /^(?:don't|dont|not|no|never)$/.test(first) || (first === 'do' && second === 'not');
  }

  private readPart(from: number, to: number, steps: readonly PlannedStep[]): ToolReading | undefined {
    const key = `${from}-${to}-${steps.length}`;
    if (!this.known.has(key)) {
      const context: ReadContext = { tools: this.tools, steps };
      const [best, next] = readTools(sliceTokens(this.text, from, to), context);
      const isTie = best && next && best.fit - next.fit < 0.05;
      this.known.set(key, isTie ? undefined : best);
    }
    return this.known.get(key);
  }
}

/** After a sentence's end, and at `and`, `then` and the like. */
function cutsOf({ tokens }: TokenText): number[] {
  return tokens.flatMap((token, at) => {
    const next = tokens[at + 1];
    if (at === 0 || !next) return [];
    const isEnd = /^[.?!;]$/.test(token.text) && next.start > token.end;
    const isJoint =
      /^(?:and|then|also|plus|afterwards)$/.test(token.lower) &&
      !/^(?:and|then)$/.test(lowerAt(tokens, at - 1));
    return isEnd ? [at + 1] : isJoint ? [at] : [];
  });
}

/** A call of its own gives some of what is required, rather than taking all from the call before. */
function givesOwn({ extraction: { chosen } }: ToolReading): boolean {
  return chosen.some(({ slot, value }) => slot.parameter.required && parseReference(value) === undefined);
}

function toStep({ extraction }: ToolReading): PlannedStep {
  return { toolName: extraction.view.tool.name, args: extraction.args };
}

function toRequests(parts: readonly ToolReading[]): Requests {
  return {
    steps: parts.map(toStep),
    isSure: parts.every(({ wording: { named = 0 }, evidence }) => named > 0.3 && evidence.telling > 0),
    values: parts.flatMap(({ extraction: { chosen, view } }) =>
      chosen.map(({ from, to, explains }) => ({
        start: view.tokens[Math.min(from, explains?.from ?? from)]?.start ?? 0,
        end: view.tokens[Math.max(to, explains?.to ?? to) - 1]?.end ?? 0,
      })),
    ),
  };
}
