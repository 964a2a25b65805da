/** Maximum length of a tool's output in a prompt, characters; more would not fit the model's context. */
export const MAX_TOOL_OUTPUT_LENGTH = 24_000;
