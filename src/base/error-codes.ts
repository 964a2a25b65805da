/**
 * Every stable error code of the service. A code stays the same from the place where the error is thrown, through
 * workflow history (as the `type` of an application failure), to the HTTP error table.
 */
export const ERROR_CODES = [
  'VALIDATION',
  'MALFORMED_JSON',
  'UNSUPPORTED_MEDIA_TYPE',
  'BODY_TOO_LARGE',
  'BODY_TOO_SLOW',
  'PAYLOAD_TOO_LARGE',
  'HOST_NOT_ALLOWED',
  'PATH_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'TOOL_NOT_FOUND',
  'TOOL_EXECUTION_FAILED',
  'TOOL_TIMEOUT',
  'WORKFLOW_NOT_FOUND',
  'WORKFLOW_EXECUTION_FAILED',
  'WORKFLOW_INVALID',
  'QUERY_NOT_UNDERSTOOD',
  'MODEL_NOT_CONFIGURED',
  'MODEL_UNKNOWN',
  'MODEL_UNAVAILABLE',
  'MODEL_TIMEOUT',
  'MODEL_OUTPUT_INVALID',
  'INTENT_QUERY_INVALID',
  'INTENT_NOT_INITIALIZED',
  'CLASSIFICATION_FAILED',
  'CLASSIFICATION_TIMEOUT',
  'AGENT_QUERY_INVALID',
  'RUN_NOT_FOUND',
  'RUN_CONFLICT',
  'RUN_NOT_STOPPABLE',
  'SESSION_BUSY',
  'RUN_STILL_GOING',
  'RUN_CANCELLED',
  'RUN_TIMEOUT',
  'RUN_HARMFUL',
  'MEMORY_NOT_FOUND',
  'MEMORY_QUOTA',
  'MEMORY_ERASING',
  'MEMORY_UNAVAILABLE',
  'MEMORY_CHAT_NOT_INITIALIZED',
  'AGENT_NOT_INITIALIZED',
  'VECTOR_SPACE_CHANGED',
  'EMBEDDING_MODEL_CHANGED',
  'RECORD_NOT_FOUND',
  'RECORD_EXISTS',
  'RECORD_CHANGED',
  'RECORD_REFERENCE',
  'RECORD_IN_USE',
  'RECORD_TRANSITION',
  'IMPORT_NOT_FOUND',
  'ENGINE_UNAVAILABLE',
  'STORE_UNAVAILABLE',
  'REQUEST_ABANDONED',
  'EMBEDDER_UNAVAILABLE',
  'UNHEALTHY',
  'CONFIGURATION',
  'INTERNAL',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** Narrows any string, for instance an application failure's type read from history. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && (ERROR_CODES as readonly string[]).includes(value);
}
