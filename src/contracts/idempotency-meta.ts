/**
 * The name in `_meta` of a tool call of MCP under which its idempotency key is: in calls that clients make of this service, and
 * in those that the service makes of remote servers.
 */
export const IDEMPOTENCY_META = 'holdfast/idempotencyKey';
