/** Whether entries name a tool: by its whole name, or by the beginning of names and `*`, such as `shop.*`. Pure. */
export function namesTool(entries: readonly string[], toolName: string): boolean {
  return entries.some((entry) =>
    entry.endsWith('*') ? toolName.startsWith(entry.slice(0, -1)) : toolName === entry,
  );
}

/** Whether a planner may be offered a tool, and may call it. Pure. @param tools as in `AgentTurnInput` */
export function isOffered(tools: readonly string[] | undefined, toolName: string): boolean {
  return tools === undefined || namesTool(tools, toolName);
}

/** Keeps the tools that a planner may be offered. Pure. @param wanted as in `isOffered` */
export function keepOffered<T extends { readonly name: string }>(
  tools: readonly T[],
  wanted: readonly string[] | undefined,
): T[] {
  return tools.filter(({ name }) => isOffered(wanted, name));
}
