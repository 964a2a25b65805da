/** What of a tool's output a model gets to read, characters; more would not fit its context. */
export const MAX_TOOL_OUTPUT_LENGTH = 24_000;
