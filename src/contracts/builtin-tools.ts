/** Names of the built-in tools, in the order that lists show them. */
export const BUILTIN_TOOL_NAMES = ['calculator', 'api_call', 'json_reader', 'file_read', 'weather'] as const;
export type BuiltinToolName = (typeof BUILTIN_TOOL_NAMES)[number];
