import type { ToolDescription } from '../types';
import type { ToolParameter } from '../types';
import { POLITENESS, STOP_WORDS } from '../text/stop-words';
import { textOf, type Token, type TokenText } from '../text/token';
import { rolesOf, type Role } from './roles';

/** A parameter and what is known of it. */
export interface Slot {
  readonly name: string;
  readonly parameter: ToolParameter;
  readonly roles: ReadonlySet<Role>;
}

/** Arguments found so far, and which tokens they were made of: a token is never used twice. */
export class SlotState {
  readonly args: Record<string, unknown> = {};
  readonly slots: readonly Slot[];
  private readonly used: boolean[];

  constructor(
    readonly text: TokenText,
    readonly tool: ToolDescription,
  ) {
    this.used = text.tokens.map(() => false);
    this.slots = Object.entries(tool.parameters).map(([name, parameter]) => ({
      name,
      parameter,
      roles: rolesOf(name, parameter),
    }));
  }

  get tokens(): readonly Token[] {
    return this.text.tokens;
  }

  /** Place of the first word that says something. */
  firstWord(): number {
    return this.tokens.findIndex(
      ({ kind, lower }) => kind === 'word' && !POLITENESS.has(lower) && !STOP_WORDS.has(lower),
    );
  }

  /** Parameters without a value. */
  open(matches: (slot: Slot) => boolean = () => true): Slot[] {
    return this.slots.filter((slot) => !Object.hasOwn(this.args, slot.name) && matches(slot));
  }

  isFree(at: number): boolean {
    return this.tokens[at] !== undefined && this.used[at] === false;
  }

  isUsed(at: number): boolean {
    return this.used[at] === true;
  }

  areFree(from: number, to: number): boolean {
    for (let at = from; at < to; at++) if (!this.isFree(at)) return false;
    return true;
  }

  /** Marks tokens as part of a value or as its label. */
  use(from: number, to = from + 1): void {
    for (let at = from; at < to; at++) this.used[at] = true;
  }

  fill(slot: Slot, value: unknown, from: number, to: number): void {
    this.args[slot.name] = value;
    this.use(from, to);
  }

  /** The text of some tokens as written; of one quotation what is inside. */
  valueText(from: number, to: number): string {
    const only = this.tokens[from];
    if (to === from + 1 && only?.kind === 'quoted') return String(only.value);
    return textOf(this.text, from, to).trim();
  }
}

/** True for a parameter that takes free text: a string without choices. */
export function isText({ parameter }: Slot): boolean {
  return (parameter.type === 'string' || parameter.type === 'any') && !parameter.enum;
}

export function isNumeric({ parameter }: Slot): boolean {
  return parameter.type === 'number' || parameter.type === 'integer';
}
