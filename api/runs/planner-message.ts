/** Builds the envelope's message for a planner loop, which says so where the loop stopped at `maxIterations`. */
export function plannerMessage(
  { success, iterations }: { readonly success: boolean; readonly iterations: number },
  completed: string,
): string {
  return success ? completed : `Stopped after ${iterations} iterations with work left`;
}
