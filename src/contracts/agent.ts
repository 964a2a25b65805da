/** What the agent does, as initialization and status tell it. */
export const AGENT_CAPABILITIES = [
  'conversation',
  'tool_execution',
  'memory_management',
  'intent_classification',
] as const;
