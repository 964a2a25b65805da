/** An error whose message says what the user has to do. It is printed without a stack trace. */
export class SetupError extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = 'SetupError';
  }
}

/** Errors of files that only the user can mend, and how. */
const FILE_ADVICE = {
  EACCES: 'Run this as the user to whom it belongs.',
  EPERM: 'Run this as the user to whom it belongs.',
  EROFS: 'Run this where the folder can be written.',
  ENOSPC: 'Make room on the disk, then try again.',
  EDQUOT: 'Make room on the disk, then try again.',
};

/**
 * Runs the main function of a script. It prints a SetupError as its message alone, a file that cannot be used as one
 * line, and any other error with its stack trace. The exit code is 1 in all cases.
 */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`${describe(error)}\n`);
    process.exitCode = 1;
  }
}

function describe(error) {
  if (error instanceof SetupError) return error.message;
  const advice = FILE_ADVICE[error?.code];
  return advice === undefined ? (error?.stack ?? error) : `The set-up failed: ${error.message}. ${advice}`;
}
