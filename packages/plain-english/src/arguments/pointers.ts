import { MAX_TOKENS } from './spans';
import type { Slot } from './slots';
import type { Candidate, View } from './view';

/** What a step before can lend to a parameter. */
export interface EarlierOutput {
  readonly reference: string;
  readonly kind: 'number' | 'text' | 'data' | 'unknown';
}

const POINTERS = new Set(
  'it that this them result answer output content contents amount value those text response'.split(' '),
);

/** `translate it`, `for that many minutes`: the value of the step before. */
export function pointedCandidates(
  { tokens }: View,
  slot: Slot,
  { reference, kind }: EarlierOutput,
): Candidate[] {
  if (!slot.parameter.required || !takes(slot, kind)) return [];
  // What a tool gave, in whatever form, is no count.
  const isCount = slot.kinds.has('number') && kind !== 'number';
  const at = tokens.slice(0, MAX_TOKENS).findIndex(({ lower }, index) => {
    // `it's about an ear infection`
    if (!POINTERS.has(lower) || /^(?:'s|is|was|isn't)$/.test(tokens[index + 1]?.lower ?? '')) return false;
    const before = tokens[index - 1]?.lower ?? '';
    if (/^(?:it|them|this|those)$/.test(lower)) return !/^assign/.test(before) && !isCount;
    return lower === 'that' || before === 'the' || before === 'that';
  });
  if (at === -1) return [];
  const isLikely = slot.kinds.has('prose') || slot.kinds.has('number');
  return [
    {
      slot,
      from: at,
      to: at + 1,
      value: reference,
      features: ['pointed', ...(isLikely ? ['pointed likely'] : [])],
      isCertain: true,
    },
  ];
}

/** Whether the parameter is of a kind that the output can be. */
function takes({ kinds, parameter }: Slot, kind: EarlierOutput['kind']): boolean {
  if (kinds.has('number')) return kind !== 'text';
  const isOpen = kinds.has('prose') || kinds.has('thing');
  return isOpen && (kind !== 'number' || parameter.type === 'any');
}

/** A text that goes on without naming its object: `read notes.txt and count the words`. */
export function withElided(
  slots: readonly Slot[],
  found: Map<string, unknown>,
  { reference, kind }: EarlierOutput,
): void {
  const [only, ...others] = slots.filter(({ name, parameter }) => parameter.required && !found.has(name));
  if (!only || others.length > 0) return;
  const isNumber = only.kinds.has('number');
  if (kind === 'number' ? isNumber : kind !== 'unknown' && only.kinds.has('prose'))
    found.set(only.name, reference);
}
