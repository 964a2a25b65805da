/** Releases after each test what the test has opened, in reverse order. */
export function useCleanup(): (release: () => Promise<unknown>) => void {
  const releases: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const release of releases.splice(0).reverse()) await release();
  });
  return (release) => releases.push(release);
}

/** The reason with which a promise was rejected. Throws if it was fulfilled. */
export async function rejection(promise: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  const outcome = await promise.then(
    (value: unknown) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome) return outcome.error as Error & Record<string, unknown>;
  throw new Error(`expected a rejection, got ${JSON.stringify(outcome.value)}`);
}
