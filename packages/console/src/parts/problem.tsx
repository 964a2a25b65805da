import type { ApiProblem } from '../api/client';
import { JsonTree } from './json-tree';

/**
 * An error of the API: its code, what it says, and its details.
 * @param props `open` is how many levels of the details are open
 */
export function Problem({ problem, open = 2 }: { problem: ApiProblem | undefined; open?: number }) {
  if (problem === undefined) return null;
  return (
    <div class="problem" role="alert">
      <p>
        {problem.code !== undefined && <code>{problem.code}</code>} {problem.message}
      </p>
      {problem.details !== undefined && <JsonTree value={problem.details} open={open} />}
    </div>
  );
}
