import type { ErrorCode } from '../../src/base/error-codes';

/**
 * The two forms of error envelopes, by the area of the API. In the tool form the envelope's `message` is the short
 * title and `error` the detail; in the memory form it is the other way round.
 */
export type ErrorForm = 'tool' | 'memory';

const MEMORY_FORM = ['/api/agent', '/api/intent-classifier', '/api/memory', '/api/memory-chat'];

/** Returns the form of the errors of a path without a version segment. */
export function errorFormOf(path: string): ErrorForm {
  return MEMORY_FORM.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)) ? 'memory' : 'tool';
}

export interface ErrorRow {
  readonly status: number;
  /** The short title. */
  readonly title: string;
  /** Replaces the error's own text, if the contract fixes the detail or internals must not be shown. */
  readonly detail?: string;
}

const INVALID_INPUT: ErrorRow = { status: 400, title: 'Validation error', detail: 'Invalid input data' };
const UNAVAILABLE: Pick<ErrorRow, 'status' | 'title'> = { status: 503, title: 'Service unavailable' };

/** The status and texts of each code over HTTP. */
export const ERROR_TABLE: Readonly<Record<ErrorCode, ErrorRow>> = {
  VALIDATION: INVALID_INPUT,
  MALFORMED_JSON: INVALID_INPUT,
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'Unsupported media type' },
  BODY_TOO_LARGE: { status: 413, title: 'Request body too large' },
  BODY_TOO_SLOW: { status: 408, title: 'Request timeout' },
  PAYLOAD_TOO_LARGE: { status: 413, title: 'Payload too large' },
  HOST_NOT_ALLOWED: { status: 403, title: 'Host not allowed' },
  UNAUTHENTICATED: { status: 401, title: 'Authentication required' },
  SCOPE_MISSING: { status: 403, title: 'Scope missing' },
  ACCESS_DENIED: { status: 403, title: 'Access denied' },
  TOO_MANY_ATTEMPTS: { status: 429, title: 'Too many failed attempts' },
  KEYS_UNAVAILABLE: UNAVAILABLE,
  KEY_NOT_FOUND: { status: 404, title: 'Key not found' },
  PATH_NOT_FOUND: { status: 404, title: 'Not found' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'Method not allowed' },
  TOOL_NOT_FOUND: { status: 404, title: 'Tool not found' },
  TOOL_EXECUTION_FAILED: { status: 500, title: 'Tool execution failed' },
  TOOL_TIMEOUT: { status: 500, title: 'Tool execution timeout' },
  MCP_SERVER_NOT_FOUND: { status: 404, title: 'MCP server not found' },
  MCP_SERVER_UNAVAILABLE: { status: 502, title: 'MCP server unavailable' },
  MCP_LOGIN_REQUIRED: { status: 409, title: 'MCP server needs a login' },
  WORKFLOW_NOT_FOUND: { status: 404, title: 'Workflow not found' },
  WORKFLOW_EXECUTION_FAILED: { status: 500, title: 'Workflow execution failed' },
  WORKFLOW_INVALID: {
    status: 400,
    title: 'Workflow validation failed',
    detail: 'Invalid step configuration',
  },
  QUERY_NOT_UNDERSTOOD: { status: 400, title: 'Query not understood' },
  MODEL_NOT_CONFIGURED: { status: 503, title: 'Model not configured' },
  MODEL_UNKNOWN: { status: 400, title: 'Unknown model' },
  MODEL_LOOP: { status: 400, title: 'Model loop' },
  MODEL_UNAVAILABLE: { status: 503, title: 'Model unavailable' },
  MODEL_TIMEOUT: { status: 500, title: 'Model timeout' },
  MODEL_OUTPUT_INVALID: { status: 500, title: 'Model output invalid' },
  MODEL_INPUT_UNSUPPORTED: { status: 422, title: 'Model input unsupported' },
  INTENT_QUERY_INVALID: { status: 400, title: 'Invalid query format' },
  INTENT_NOT_INITIALIZED: { status: 503, title: 'Intent classifier not initialized' },
  CLASSIFICATION_FAILED: { status: 500, title: 'Classification failed' },
  CLASSIFICATION_TIMEOUT: { status: 500, title: 'Classification timeout' },
  AGENT_QUERY_INVALID: { status: 400, title: 'Missing or invalid query' },
  AGENT_NOT_FOUND: { status: 404, title: 'Agent not found' },
  RUN_NOT_FOUND: { status: 404, title: 'Run not found' },
  STEP_NOT_FOUND: { status: 404, title: 'Step not found' },
  RUN_NOT_ENDED: { status: 409, title: 'Run has not ended' },
  RUN_NOT_REPEATABLE: { status: 409, title: 'Run cannot be repeated' },
  RUN_CONFLICT: { status: 409, title: 'Conflict' },
  RUN_NOT_STOPPABLE: { status: 409, title: 'Run cannot be stopped' },
  RUN_PAUSED: { status: 503, title: 'Run is waiting for an approval' },
  DELIVERY_NOT_FOUND: { status: 404, title: 'Delivery not found' },
  DELIVERY_PENDING: { status: 409, title: 'Delivery is pending' },
  APPROVAL_NOT_FOUND: { status: 404, title: 'Approval not found' },
  APPROVAL_ANSWERED: { status: 409, title: 'Approval already answered' },
  APPROVAL_DENIED: { status: 403, title: 'Approval denied' },
  APPROVAL_EXPIRED: { status: 410, title: 'Approval expired' },
  BUDGET_EXHAUSTED: { status: 500, title: 'Budget exhausted' },
  SESSION_BUSY: { status: 429, title: 'Too many waiting turns' },
  SESSION_WAITING: { status: 409, title: 'Session is waiting' },
  RUN_STILL_GOING: { status: 503, title: 'Run still in progress' },
  RUN_CANCELLED: { status: 500, title: 'Run cancelled' },
  RUN_HARMFUL: { status: 500, title: 'Run ended its worker' },
  RUN_TIMEOUT: { status: 500, title: 'Run timed out' },
  HOOK_NOT_FOUND: { status: 404, title: 'Hook not found' },
  SCHEDULE_NOT_FOUND: { status: 404, title: 'Schedule not found' },
  SCHEDULE_EXISTS: { status: 409, title: 'Schedule already exists' },
  MEMORY_NOT_FOUND: { status: 404, title: 'Memory not found' },
  FACT_NOT_FOUND: { status: 404, title: 'Fact not found' },
  ERASURE_NOT_FOUND: { status: 404, title: 'Erasure not found' },
  CONSOLIDATION_NOT_FOUND: { status: 404, title: 'Consolidation not found' },
  CONSOLIDATION_UNDONE: { status: 409, title: 'Consolidation already undone' },
  CONSOLIDATION_EXPIRED: { status: 410, title: 'Consolidation expired' },
  MEMORY_QUOTA: { status: 400, title: 'Memory quota exceeded' },
  MEMORY_ERASING: { status: 409, title: 'Memories are being erased' },
  MEMORY_UNAVAILABLE: { status: 503, title: 'Memory service unavailable' },
  STORES_ALREADY_SET: { status: 409, title: 'Other stores are set' },
  MEMORY_CHAT_NOT_INITIALIZED: { status: 503, title: 'Service not initialized' },
  AGENT_NOT_INITIALIZED: { status: 503, title: 'Agent service not initialized' },
  RECORD_NOT_FOUND: { status: 404, title: 'Record not found' },
  RECORD_EXISTS: { status: 409, title: 'Record already exists' },
  RECORD_CHANGED: { status: 412, title: 'Record changed' },
  RECORD_REFERENCE: INVALID_INPUT,
  RECORD_IN_USE: { status: 409, title: 'Record in use' },
  IMPORT_NOT_FOUND: { status: 404, title: 'Import not found' },
  FILE_NOT_FOUND: { status: 404, title: 'File not found' },
  FILE_QUOTA: { status: 400, title: 'Too many files' },
  RECORD_TRANSITION: { status: 409, title: 'Status transition not allowed' },
  EMBEDDING_MODEL_CHANGED: UNAVAILABLE,
  VECTOR_SPACE_CHANGED: { status: 503, title: 'Embedding model changed' },
  ENGINE_UNAVAILABLE: UNAVAILABLE,
  STORE_UNAVAILABLE: UNAVAILABLE,
  REQUEST_ABANDONED: UNAVAILABLE,
  SERVICE_BUSY: { status: 503, title: 'Service is busy' },
  EMBEDDER_UNAVAILABLE: UNAVAILABLE,
  UNHEALTHY: { status: 503, title: 'System is unhealthy' },
  CONFIGURATION: {
    status: 500,
    title: 'Internal server error',
    detail: 'The service is not configured correctly',
  },
  INTERNAL: { status: 500, title: 'Internal server error', detail: 'An unexpected error occurred' },
};

/** The title of a failed memory operation in the area of memory chat. */
const MEMORY_SERVICE_ERROR = 'Memory service error';

/** The areas that have other titles for some codes. */
const AREA_TITLES: readonly (readonly [prefix: string, titles: Partial<Record<ErrorCode, string>>])[] = [
  [
    '/api/memory-chat/',
    {
      MEMORY_UNAVAILABLE: MEMORY_SERVICE_ERROR,
      STORE_UNAVAILABLE: MEMORY_SERVICE_ERROR,
      EMBEDDER_UNAVAILABLE: MEMORY_SERVICE_ERROR,
      EMBEDDING_MODEL_CHANGED: MEMORY_SERVICE_ERROR,
      VECTOR_SPACE_CHANGED: MEMORY_SERVICE_ERROR,
    },
  ],
];

/** Returns the short title of an error on a path without a version segment. */
export function titleOf(code: ErrorCode, path: string): string {
  const area = AREA_TITLES.find(([prefix]) => path.startsWith(prefix));
  return area?.[1][code] ?? ERROR_TABLE[code].title;
}
