import type { MemoryScope } from '../../memory/search';
import { keyToBytes } from '../key-bytes';
import { kindNumber } from './rows';

export type Parameters = Record<string, number | string | Buffer>;

export interface ScopeQuery {
  /** Whether there are conditions other than user and kind. */
  readonly isFiltered: boolean;
  /** An SQL condition on the table. */
  readonly condition: string;
  readonly parameters: Parameters;
}

/** The tables that have the columns of a scope and its filters, with the column of each that has the key of a memory. */
const MEMORY_KEY = { memories: 'memories.key', codes: 'codes.memory' } as const;

const OWNER = '(SELECT key FROM owners WHERE user = @user)';

/** Builds the condition of a query for the memories of a scope. */
export function buildScopeQuery(
  { userId, kind, filters = {} }: MemoryScope,
  table: keyof typeof MEMORY_KEY = 'memories',
): ScopeQuery {
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
    `${table}.session = (SELECT key FROM sessions WHERE owner = ${OWNER} AND name = @session)`,
  );
  add('from', from, `${table}.timestamp >= @from`);
  add('to', to, `${table}.timestamp <= @to`);
  add('minWeight', minWeight, `${table}.weight >= @minWeight`);
  add('maxWeight', maxWeight, `${table}.weight <= @maxWeight`);
  if (anyLabel !== undefined) {
    const names = anyLabel.map((label, index) => {
      parameters[`label${index}`] = keyToBytes(label);
      return `@label${index}`;
    });
    const tagged = `SELECT memory FROM labels WHERE owner = ${OWNER} AND kind = @kind AND label IN (${names.join(', ')})`;
    conditions.push(`${MEMORY_KEY[table]} IN (${tagged})`);
  }
  return {
    isFiltered: conditions.length > 0,
    condition: [`${table}.owner = ${OWNER}`, `${table}.kind = @kind`, ...conditions].join(' AND '),
    parameters,
  };
}
