import type { MemoryScope } from '../../memory/search';
import { keyToText } from '../key-text';
import { IS_OF_USER, KIND_LABELS } from './rows';

export interface ScopeQuery {
  /** The label of the memories of this kind. */
  readonly label: string;
  /** Whether there are conditions other than user and kind. */
  readonly isFiltered: boolean;
  /** A Cypher condition on `memory`, which has the label. */
  readonly condition: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Builds the condition of a query for the memories of a scope. */
export function buildScopeQuery({ userId, kind, filters = {} }: MemoryScope): ScopeQuery {
  const { sessionId, from, to, anyLabel, minWeight, maxWeight } = filters;
  const filtered: readonly (readonly [name: string, value: unknown, condition: string])[] = [
    ['session', sessionId === undefined ? undefined : keyToText(sessionId), 'memory.session = $session'],
    ['from', from, 'memory.timestamp >= $from'],
    ['to', to, 'memory.timestamp <= $to'],
    ['minWeight', minWeight, 'memory.weight >= $minWeight'],
    ['maxWeight', maxWeight, 'memory.weight <= $maxWeight'],
    ['anyLabel', anyLabel?.map(keyToText), 'any(label IN memory.labels WHERE label IN $anyLabel)'],
  ];
  const given = filtered.filter(([, value]) => value !== undefined);
  return {
    label: KIND_LABELS[kind],
    isFiltered: given.length > 0,
    condition: [IS_OF_USER, ...given.map(([, , condition]) => condition)].join(' AND '),
    parameters: {
      user: keyToText(userId),
      ...Object.fromEntries(given.map(([name, value]) => [name, value])),
    },
  };
}
