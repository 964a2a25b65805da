import type { PredefinedWorkflow } from '../contracts/http/workflows';
import { HoldfastError, validationError } from '../base/errors';
import { CONFLICT, untilNoConflict } from '../stores/compare-and-set';
import type { TenantDocuments } from '../stores/documents';
import { MAX_LIST_LIMIT } from '../stores/documents';
import { checkDefinition } from './check-definition';

const COLLECTION = 'workflows';
const STATE = 'workflow-catalogue';
const STATE_KEY = 'state';

/** The workflows that can be run by their ids: those that come with the service, and those that callers stored. */
export interface WorkflowCatalogue {
  /** Lists all workflows in the order of their ids. */
  list(): Promise<readonly PredefinedWorkflow[]>;
  /** @throws HoldfastError `WORKFLOW_NOT_FOUND` */
  get(id: string): Promise<PredefinedWorkflow>;
  /**
   * Stores a workflow, or replaces the one with its id. Runs in progress keep the steps that they began with.
   * @throws HoldfastError `WORKFLOW_INVALID`; `VALIDATION` where the id is that of a built-in workflow, or there are
   *   too many
   */
  put(workflow: PredefinedWorkflow): Promise<void>;
  /** @throws HoldfastError `WORKFLOW_NOT_FOUND`; `VALIDATION` where the workflow is a built-in one */
  remove(id: string): Promise<void>;
}

export interface WorkflowCatalogueOptions {
  readonly documents: TenantDocuments;
  readonly builtins: readonly PredefinedWorkflow[];
  readonly maxWorkflows: number;
}

/** This document is written together with every new or removed workflow, so that `count` is the number of documents. */
interface CatalogueState {
  readonly count: number;
}

export function createWorkflowCatalogue(options: WorkflowCatalogueOptions): WorkflowCatalogue {
  const { documents, maxWorkflows } = options;
  const builtins = new Map(options.builtins.map((workflow) => [workflow.id, workflow]));

  async function readState(): Promise<{ count: number; version: number }> {
    // `getMany` waits for writes that are being applied, so a workflow that is read after it is not older than this
    // state.
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
        const { count, version } = await readState();
        const stored = await documents.get(COLLECTION, id);
        const put = {
          type: 'put',
          collection: COLLECTION,
          key: id,
          value: workflow,
          ifVersion: stored?.version ?? 0,
        } as const;
        if (stored !== undefined) return (await documents.write([put])) ? undefined : CONFLICT;
        if (count >= maxWorkflows) throw tooManyWorkflows(maxWorkflows);
        return (await documents.write([put, putState(count + 1, version)])) ? undefined : CONFLICT;
      });
    },

    async remove(id) {
      refuseBuiltin(id);
      if (!isKey(id)) throw unknownWorkflow(id);
      await untilNoConflict('the workflows', async () => {
        const { count, version } = await readState();
        const stored = await documents.get(COLLECTION, id);
        if (stored === undefined) throw unknownWorkflow(id);
        const removal = {
          type: 'delete',
          collection: COLLECTION,
          key: id,
          ifVersion: stored.version,
        } as const;
        return (await documents.write([removal, putState(count - 1, version)])) ? undefined : CONFLICT;
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

function tooManyWorkflows(max: number): HoldfastError {
  return validationError(
    'id',
    `There are ${max} workflows already, as many as MAX_WORKFLOWS allows; remove one or raise the setting`,
  );
}
