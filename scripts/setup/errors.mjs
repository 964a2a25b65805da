/** An error whose message says what the user has to do. It is printed without a stack trace. */
export class SetupError extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = 'SetupError';
  }
}

/**
 * Runs the main function of a script. It prints a SetupError as its message alone, and any other error with its
 * stack trace. The exit code is 1 in both cases.
 */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`${error instanceof SetupError ? error.message : (error?.stack ?? error)}\n`);
    process.exitCode = 1;
  }
}
