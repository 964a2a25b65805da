/** The envelope's message of a planned run: one that stopped at its bound says so. */
export function messageOfPlannedRun(
  { success, iterations }: { readonly success: boolean; readonly iterations: number },
  completed: string,
): string {
  return success ? completed : `Stopped after ${iterations} iterations with work left`;
}
