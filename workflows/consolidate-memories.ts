import type { ConsolidationReport } from '../src/contracts/http/consolidations';
import type { ConsolidationInput, ConsolidationPlan } from '../src/contracts/runs/consolidation';
import { consolidationSteps } from './steps/memory-steps';
import { withStepFailure } from './steps/long-steps';
import { showProgress } from './steps/progress';

/** Number of memories that one step archives. */
const PAGE = 100;

/** Consolidates the memories of a user, or reports what it would do if the input has no id for it. */
export function consolidateMemories(input: ConsolidationInput): Promise<ConsolidationReport> {
  return withStepFailure(async () => {
    const { userId, consolidationId } = input;
    const plan = await consolidationSteps('compare memories').planConsolidation(input);
    const { archive: memories, summaries } = plan;
    const report = toReport(plan);
    if (consolidationId === undefined) return { dryRun: true, ...report };
    const name = { userId, consolidationId };
    const progress = showProgress();
    let archived = 0;
    for (let start = 0; start < memories.length; start += PAGE) {
      const page = memories.slice(start, start + PAGE);
      archived += await consolidationSteps(
        `archive ${page.length} of ${memories.length} memories`,
      ).archiveMemories({ ...name, memories: page, start });
      progress.note({ step: 'archive', what: `${archived} memories archived`, state: 'running' });
    }
    if (summaries.length > 0)
      await consolidationSteps(`store ${summaries.length} summaries`).storeSummaries({ ...name, summaries });
    const end = await consolidationSteps('note the end').finishConsolidation({ ...name, archived });
    progress.note({ step: 'archive', what: `${archived} memories archived`, state: 'completed' });
    const changed = memories.length - archived;
    return { dryRun: false, id: consolidationId, ...report, archived, changed, ...end };
  });
}

function toReport({ compared, archive, summaries, more }: ConsolidationPlan) {
  const groups = new Map<string, string[]>();
  for (const { id, kept } of archive)
    if (kept !== undefined) groups.set(kept.id, [...(groups.get(kept.id) ?? []), id]);
  return {
    compared,
    duplicates: [...groups].map(([keptId, archived]) => ({ kept: keptId, archived })),
    superseded: archive.flatMap(({ id, kept, replaced }) => ((kept ?? replaced) ? [] : [id])),
    replaced: archive.flatMap(({ id, replaced }) => (replaced ? [id] : [])),
    // The ids of summaries would be other ones in another run.
    sessions: summaries.map(({ id: _id, ...session }) => session),
    archived: archive.length,
    changed: 0,
    more,
  };
}
