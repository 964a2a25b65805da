import { go, place } from '../../address';
import type { Place } from '../../hash';
import { Choice, FilterForm, Text } from '../../parts/filter-fields';

const STATUSES = [
  'running',
  'waiting',
  'completed',
  'failed',
  'cancelled',
  'terminated',
  'timed_out',
] as const;
const AREAS = ['tools', 'workflow', 'agent', 'intent', 'memory', 'memory-chat', 'records'] as const;

export interface Filters {
  readonly status?: (typeof STATUSES)[number];
  readonly area?: (typeof AREAS)[number];
  readonly tool?: string;
  readonly userId?: string;
  readonly since?: string;
}

const within = <T extends string>(values: readonly T[], value: string | undefined): T | undefined =>
  values.find((each) => each === value);

const TOOL = /^[\w.-]+$/;
const DATE = /^\d{4}-\d\d-\d\d$/;

/** The query of the API for the parameters of the address. What the API would refuse is left out. Pure. */
export function queryOf(params: Place['params']): Filters {
  const { tool, userId, since } = params;
  const query = {
    status: within(STATUSES, params['status']),
    area: within(AREAS, params['area']),
    tool: tool !== undefined && TOOL.test(tool) ? tool : undefined,
    userId,
    since: since !== undefined && DATE.test(since) ? since : undefined,
  };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}

export const isFiltered = (query: Filters): boolean => Object.keys(query).length > 0;

/** The filters of the list, which the address has. */
export function FilterBar() {
  const { params } = place.value;
  return (
    <FilterForm label="Filter runs">
      <Choice name="status" values={STATUSES} isFirst />
      <Choice name="area" values={AREAS} />
      <Text name="tool" placeholder="tool" />
      <Text name="userId" placeholder="user" />
      <Text name="since" placeholder="since" type="date" />
      {isFiltered(queryOf(params)) && (
        <button
          type="button"
          onClick={() =>
            go({ status: undefined, area: undefined, tool: undefined, userId: undefined, since: undefined })
          }
        >
          All runs
        </button>
      )}
    </FilterForm>
  );
}
