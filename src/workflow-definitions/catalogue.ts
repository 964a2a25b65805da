import { setImmediate as nextIteration } from 'node:timers/promises';
import type { PredefinedWorkflow } from '../contracts/http/workflows';
import { jsonLength } from '../contracts/json-length';
import { HoldfastError, validationError } from '../base/errors';
import { throwFirst, throwFirstOf } from '../base/problems';
import { checkSize, readInputs } from '../tools/parameters';
import { CONFLICT, untilNoConflict } from '../stores/compare-and-set';
import type { TenantDocuments } from '../stores/documents';
import { createKeptList } from '../stores/kept-list';
import { answerSchemaProblems } from './check-answer-schemas';
import { type CallChecks, checkStoredCalls } from './check-calls';
import { checkDefinition } from './check-definition';
import { shapeProblems } from './check-shapes';
import { inputNames, requiredTools } from './fill-inputs';
import type { PrepareStepsPorts } from './prepare-steps';
import { headOf, type WorkflowHead } from './workflow-head';

const COLLECTION = 'workflows';
const STATE = 'workflow-catalogue';
const STATE_KEY = 'state';
/** How many definitions are in memory at once while the catalogue is listed, since each may have a megabyte. */
const PAGE_LENGTH = 10;
/** A longer list is not kept in memory, characters of JSON. */
const MAX_KEPT = 8_388_608;

/** The workflows that can be run by their ids: those that come with the service, and those that callers stored. */
export interface WorkflowCatalogue {
  /**
   * Lists all workflows, without their steps, in the order of their ids. The list is kept in memory; one small read finds out
   * whether a process has changed the catalogue.
   */
  list(): Promise<readonly WorkflowHead[]>;
  /** @throws HoldfastError `WORKFLOW_NOT_FOUND` */
  get(id: string): Promise<PredefinedWorkflow>;
  /**
   * Stores a workflow, or replaces the one with its id. Runs in progress keep the steps that they began with.
   * @throws HoldfastError `WORKFLOW_INVALID`; `VALIDATION` if the id is that of a built-in workflow, or there are
   *   too many
   */
  put(workflow: PredefinedWorkflow, checks: CallChecks): Promise<void>;
  /** @throws HoldfastError `WORKFLOW_NOT_FOUND`; `VALIDATION` if the workflow is a built-in one */
  remove(id: string): Promise<void>;
}

export interface WorkflowCatalogueOptions {
  readonly documents: TenantDocuments;
  /** Reads the tools by which definitions are checked. */
  readonly registry: PrepareStepsPorts['registry'];
  readonly schemas: PrepareStepsPorts['schemas'];
  readonly builtins: readonly PredefinedWorkflow[];
  readonly maxWorkflows: number;
}

/**
 * This document is written together with every workflow that is stored or removed, so that `count` is the number of documents,
 * and its version changes with each of them.
 */
interface CatalogueState {
  readonly count: number;
}

export function createWorkflowCatalogue(options: WorkflowCatalogueOptions): WorkflowCatalogue {
  const { documents, registry, schemas, maxWorkflows } = options;
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

  async function readHeads(): Promise<readonly WorkflowHead[]> {
    const heads = [...builtins.values()].map(headOf);
    for (let after = ''; ;) {
      const page = await documents.list<PredefinedWorkflow>(COLLECTION, { after, limit: PAGE_LENGTH });
      heads.push(...page.map(({ value }) => headOf(value)));
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_LENGTH) break;
      after = last.key;
      // Other requests are served between two pages, even if the store answers at once.
      await nextIteration();
    }
    return heads.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  function refuseBuiltin(id: string): void {
    if (builtins.has(id))
      throw validationError('id', `"${id}" comes with the service and cannot be changed; choose another id`);
  }

  return {
    list: createKeptList({
      version: async () => (await documents.get(STATE, STATE_KEY))?.version ?? 0,
      settledVersion: async () => (await readState()).version,
      read: readHeads,
      isTooLong: (heads) => jsonLength(heads, MAX_KEPT) > MAX_KEPT,
    }),

    async get(id) {
      const workflow =
        builtins.get(id) ??
        (isKey(id) ? (await documents.get<PredefinedWorkflow>(COLLECTION, id))?.value : undefined);
      if (workflow === undefined) throw unknownWorkflow(id);
      return workflow;
    },

    async put(workflow, checks) {
      const { id } = workflow;
      refuseBuiltin(id);
      const { steps } = workflow;
      checkSize(workflow.inputs, 'inputs');
      checkDefinition(steps, { names: inputNames(readInputs(workflow.inputs)) });
      await throwFirstOf(answerSchemaProblems(steps, schemas));
      const tools = await registry.getMany(requiredTools(workflow));
      throwFirst(shapeProblems(steps, tools));
      await checkStoredCalls(steps, tools, checks);
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
        if (stored === undefined && count >= maxWorkflows) throw tooManyWorkflows(maxWorkflows);
        const stateAfter = putState(stored === undefined ? count + 1 : count, version);
        return (await documents.write([put, stateAfter])) ? undefined : CONFLICT;
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
