/** A failure whose message tells the person what to do; it is printed without a stack. */
export class SetupError extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = 'SetupError';
  }
}

/**
 * Runs the main function of a script: prints a SetupError as its message alone, anything else whole.
 * The exit code is 1 in both cases.
 */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`${error instanceof SetupError ? error.message : (error?.stack ?? error)}\n`);
    process.exitCode = 1;
  }
}
