import { go, place } from '../../address';
import type { ReadParams } from '../../api/client';
import type { Place } from '../../hash';
import { mayForAll } from '../../session';
import { Choice, FilterForm, Text } from '../../parts/filter-fields';

export type Filters = ReadParams<'/api/runs'>['query'] & object;

const STATUSES = ['running', 'waiting', 'completed', 'failed', 'cancelled', 'terminated', 'timed_out'];
const AREAS = ['tools', 'workflow', 'agent', 'intent', 'memory', 'memory-chat', 'records'];
/** What the API takes. */
const VALUES = {
  status: new RegExp(`^(${STATUSES.join('|')})$`),
  area: new RegExp(`^(${AREAS.join('|')})$`),
  tool: /^[\w.-]+$/,
  userId: /./s,
  since: /^\d{4}-\d\d-\d\d$/,
};

/** The query of the API for the parameters of the address. What the API would refuse is left out. */
export const queryOf = (params: Place['params']): Filters =>
  Object.fromEntries(
    Object.entries(VALUES).flatMap(([name, values]) =>
      (name !== 'userId' || isForAll()) && values.test(params[name] ?? '') ? [[name, params[name]]] : [],
    ),
  );

const isForAll = (): boolean => mayForAll('read');

export const isFiltered = (query: Filters): boolean => Object.keys(query).length > 0;

/** The filters of the list, which the address has. */
export function FilterBar() {
  const none = Object.fromEntries(Object.keys(VALUES).map((name) => [name, undefined]));
  return (
    <FilterForm label="Filter runs">
      <Choice name="status" values={STATUSES} isFirst />
      <Choice name="area" values={AREAS} />
      <Text name="tool" placeholder="tool" />
      {isForAll() && <Text name="userId" placeholder="user" />}
      <Text name="since" placeholder="since" type="date" />
      {isFiltered(queryOf(place.value.params)) && (
        <button type="button" onClick={() => go(none)}>
          All runs
        </button>
      )}
    </FilterForm>
  );
}
