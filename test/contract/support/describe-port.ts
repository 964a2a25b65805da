/** A place for data that is empty at first and is removed after each test. */
interface Disposable {
  dispose(): Promise<void>;
}

/**
 * Describes what an adapter of a port has to do: every part on a harness of the adapter that is opened before each test
 * and disposed of after it.
 *
 * @param name of the adapter and its port, as in `SQLite document store`
 * @param parts each describes some of the port's tests; a test asks for the harness by the function that it is given
 */
export function describePort<H extends Disposable>(
  name: string,
  open: () => Promise<H>,
  parts: readonly ((harness: () => H) => void)[],
): void {
  describe(name, () => {
    let opened: H | undefined;

    const current = (): H => {
      if (opened === undefined) throw new Error(`the ${name} is asked for outside of a test`);
      return opened;
    };

    beforeEach(async () => {
      opened = await open();
    });

    afterEach(async () => {
      await opened?.dispose();
      opened = undefined;
    });

    for (const part of parts) part(current);
  });
}
