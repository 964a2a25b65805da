import type { PredefinedWorkflow } from '../contracts/http/workflows';
import { HoldfastError, validationError } from '../base/errors';
import { CONFLICT, untilNoConflict } from '../stores/compare-and-set';
import type { DocumentStore } from '../stores/documents';
import { MAX_LIST_LIMIT } from '../stores/documents';
import { checkDefinition } from './check-definition';

const COLLECTION = 'workflows';
const STATE = 'workflow-catalogue';
const STATE_KEY = 'state';

/** Workflows kept for running by id: those that come with the service, and those that callers stored. */
export interface WorkflowCatalogue {
  /** By id. */
  list(): Promise<readonly PredefinedWorkflow[]>;
  /** @throws HoldfastError `WORKFLOW_NOT_FOUND` */
  get(id: string): Promise<PredefinedWorkflow>;
  /**
   * Stores a workflow, or replaces the one of that id; runs under way keep what they began with.
   * @throws HoldfastError `WORKFLOW_INVALID`; `VALIDATION` for an id of a built-in one, and where there are too many
   */
  put(workflow: PredefinedWorkflow): Promise<void>;
  /** @throws HoldfastError `WORKFLOW_NOT_FOUND`; `VALIDATION` for a built-in one */
  remove(id: string): Promise<void>;
}

export interface WorkflowCatalogueOptions {
  readonly documents: DocumentStore;
  readonly builtins: readonly PredefinedWorkflow[];
  readonly maxWorkflows: number;
}

/** Written with every workflow that comes or goes, so that `count` is always the number of documents. */
interface CatalogueState {
  readonly count: number;
}

export function createWorkflowCatalogue(options: WorkflowCatalogueOptions): WorkflowCatalogue {
  const { documents, maxWorkflows } = options;
  const builtins = new Map(options.builtins.map((workflow) => [workflow.id, workflow]));

  async function state(): Promise<{ count: number; version: number }> {
    // Settled: the workflow that is read after it is as new.
    const stored = (await documents.getMany<CatalogueState>(STATE, [STATE_KEY])).get(STATE_KEY);
    return { count: stored?.value.count ?? 0, version: stored?.version ?? 0 };
  }

  const putState = (count: number, version: number) =>
    ({
      type: 'put',
      collection: STATE,
      key: STATE_KEY,
      value: { count } satisfies CatalogueState,
      ifVersion: version,
    }) as const;

  function refuseBuiltin(id: string): void {
    if (builtins.has(id))
      throw validationError('id', `"${id}" comes with the service and cannot be changed; choose another id`);
  }

  return {
    async list() {
      const stored: PredefinedWorkflow[] = [];
      for (;;) {
        const last = stored.at(-1);
        const page = await documents.list<PredefinedWorkflow>(COLLECTION, last ? { after: last.id } : {});
        stored.push(...page.map(({ value }) => value));
        if (page.length < MAX_LIST_LIMIT) break;
      }
      return [...builtins.values(), ...stored].sort((a, b) => (a.id < b.id ? -1 : 1));
    },

    async get(id) {
      const found =
        builtins.get(id) ??
        (isKey(id) ? (await documents.get<PredefinedWorkflow>(COLLECTION, id))?.value : undefined);
      if (found === undefined) throw unknownWorkflow(id);
      return found;
    },

    async put(workflow) {
      const { id } = workflow;
      refuseBuiltin(id);
      checkDefinition(workflow.steps, { names: new Set(Object.keys(workflow.inputs)) });
      await untilNoConflict('the workflows', async () => {
        const { count, version } = await state();
        const existing = await documents.get(COLLECTION, id);
        const put = {
          type: 'put',
          collection: COLLECTION,
          key: id,
          value: workflow,
          ifVersion: existing?.version ?? 0,
        } as const;
        if (existing !== undefined) return (await documents.write([put])) ? undefined : CONFLICT;
        if (count >= maxWorkflows) throw full(maxWorkflows);
        return (await documents.write([put, putState(count + 1, version)])) ? undefined : CONFLICT;
      });
    },

    async remove(id) {
      refuseBuiltin(id);
      if (!isKey(id)) throw unknownWorkflow(id);
      await untilNoConflict('the workflows', async () => {
        const { count, version } = await state();
        const existing = await documents.get(COLLECTION, id);
        if (existing === undefined) throw unknownWorkflow(id);
        const gone = {
          type: 'delete',
          collection: COLLECTION,
          key: id,
          ifVersion: existing.version,
        } as const;
        return (await documents.write([gone, putState(count - 1, version)])) ? undefined : CONFLICT;
      });
    },
  };
}

function isKey(id: string): boolean {
  return /^[a-z0-9-]{1,64}$/.test(id);
}

function unknownWorkflow(id: string): HoldfastError {
  return new HoldfastError('WORKFLOW_NOT_FOUND', `There is no workflow "${id.slice(0, 64)}"`);
}

function full(most: number): HoldfastError {
  return validationError(
    'id',
    `There are ${most} workflows already, as many as MAX_WORKFLOWS allows; remove one or raise the setting`,
  );
}
