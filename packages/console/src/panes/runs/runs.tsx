import { place } from '../../address';
import { Split } from '../../parts/split';
import { FilterBar } from './filters';
import { RunDetail } from './run-detail';
import { RunList } from './run-list';

/** The runs of the service, and one of them. */
export function Runs() {
  const { run } = place.value.params;
  return (
    <Split
      label="Runs"
      list={
        <>
          <FilterBar />
          <RunList />
        </>
      }
      open={run}
      detailLabel="Run"
      detail={(traceId) => <RunDetail traceId={traceId} />}
      closed={{ run: undefined, step: undefined, rerun: undefined }}
    />
  );
}
