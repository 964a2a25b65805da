import { go, place } from '../../address';
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
      detailKey={run}
      detailLabel="Run"
      detail={run === undefined ? undefined : <RunDetail key={run} traceId={run} />}
      onClose={() => go({ run: undefined, step: undefined, rerun: undefined })}
    />
  );
}
