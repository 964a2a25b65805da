import type { NamedAgents } from '../../requests/agent-definitions';
import type { agentRequestSchemas } from '../../requests/agent-requests';
import type { AgentRuns } from '../../requests/agent-runs';
import type { BudgetPolicies } from '../../requests/budget-policies';
import type { CustomRuns } from '../../requests/custom-runs';
import type { Starting } from '../../requests/starting';
import type { RunWebhook } from '../../requests/webhooks';
import type { Scope } from '../../src/contracts/http/access';
import type { MemorySystem } from '../../src/memory/create-memory-system';
import type { Redactor } from '../../src/secrets/redactor';
import type { ApprovalLinks } from '../../src/secrets/signed-texts';
import type { BlobStore } from '../../src/stores/blobs/blob-store';
import type { TenantServices } from '../../src/tenants/tenants';
import type { WorkflowCatalogue } from '../../src/workflow-definitions/catalogue';
import type { ArgumentChecks } from '../../src/tools/argument-check';
import type { Engine } from '../../temporal/engine';
import type { RunFeeds } from '../../temporal/run-events/run-feeds';
import type { ShownRuns } from '../../temporal/runs/run-lookup';
import type { FetchPorts } from './linked-files';
import type { Method, StreamedAnswer } from '../http/route';

/** What the operations need of the caller's tenant. */
export interface OpenAiServices extends Pick<TenantServices, 'pseudonyms' | 'documents'> {
  readonly agents: Pick<NamedAgents, 'get' | 'list'>;
  readonly catalogue: Pick<WorkflowCatalogue, 'get' | 'list'>;
  readonly budgets: Pick<BudgetPolicies, 'check' | 'ceilings'>;
  readonly argumentChecks: ArgumentChecks;
  readonly runs: { readonly agent: AgentRuns; readonly custom: CustomRuns };
}

/** What the operations of all tenants share. */
export interface OpenAiPorts {
  readonly engine: Engine;
  readonly shown: ShownRuns;
  readonly feeds: RunFeeds;
  readonly memory: Pick<MemorySystem, 'configuration' | 'openStores'>;
  /** The store of large values of runs. */
  readonly blobs: BlobStore;
  readonly files: FetchPorts;
  /** How long a response may wait for its run, milliseconds. */
  readonly waitLimitMs: number;
  readonly links: ApprovalLinks;
  /** That of `POST /api/agent/execute`. */
  readonly turnSchema: ReturnType<typeof agentRequestSchemas>['execute'];
  /** The address under which people reach this API; undefined: the one that the request was sent to. */
  readonly publicUrl: string | undefined;
}

/** What is known of a request besides its parts. */
export interface OpenAiContext extends Starting {
  readonly services: OpenAiServices;
  readonly redactor: Redactor;
  readonly webhook: RunWebhook | undefined;
  /** The protocol and host that the caller asked, as in `http://127.0.0.1:3000`. */
  readonly origin: string;
  /** Returns a header of the request; undefined if it is absent or empty. */
  header(name: string): string | undefined;
  /** Names parameters of the request that have no effect here, in a header of the response. */
  ignore(names: readonly string[]): void;
}

/** The parts of a request, as they were received. */
export interface OpenAiInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** A response: the body as JSON, or a stream. */
export type OpenAiAnswer = { readonly body: object } | StreamedAnswer;

/** One operation of OpenAI's API. Its schemas and its documentation are those that OpenAI has published. */
export interface OpenAiOperation {
  readonly method: Method;
  readonly path: string;
  readonly access: Scope;
  handler(input: OpenAiInput, context: OpenAiContext): Promise<OpenAiAnswer>;
}
