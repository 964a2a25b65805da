import type { MemoryScope } from '../../memory/search';
import { keyToBytes } from '../key-bytes';
import { kindNumber } from './rows';

export type Parameters = Record<string, number | string | Buffer>;

export interface ScopeQuery {
  /** Whether there is more than user and kind. */
  readonly isFiltered: boolean;
  /** A condition on `memories`. */
  readonly condition: string;
  readonly parameters: Parameters;
}

const OWNER = '(SELECT key FROM owners WHERE user = @user)';

/** The memories of a scope as a condition for a query. */
export function scopeQuery({ userId, kind, filters = {} }: MemoryScope): ScopeQuery {
  const conditions: string[] = [];
  const parameters: Parameters = { user: keyToBytes(userId), kind: kindNumber(kind) };
  const add = (name: string, value: Parameters[string] | undefined, condition: string): void => {
    if (value === undefined) return;
    parameters[name] = value;
    conditions.push(condition);
  };
  const { sessionId, from, to, anyLabel, minWeight, maxWeight } = filters;
  const session = sessionId === undefined ? undefined : keyToBytes(sessionId);
  add(
    'session',
    session,
    `memories.session = (SELECT key FROM sessions WHERE owner = ${OWNER} AND name = @session)`,
  );
  add('from', from, `memories.timestamp >= @from`);
  add('to', to, `memories.timestamp <= @to`);
  add('minWeight', minWeight, `memories.weight >= @minWeight`);
  add('maxWeight', maxWeight, `memories.weight <= @maxWeight`);
  if (anyLabel !== undefined) {
    const names = anyLabel.map((label, index) => {
      parameters[`label${index}`] = keyToBytes(label);
      return `@label${index}`;
    });
    const tagged = `SELECT memory FROM labels WHERE owner = ${OWNER} AND kind = @kind AND label IN (${names.join(', ')})`;
    conditions.push(`memories.key IN (${tagged})`);
  }
  return {
    isFiltered: conditions.length > 0,
    condition: [`memories.owner = ${OWNER}`, `memories.kind = @kind`, ...conditions].join(' AND '),
    parameters,
  };
}
