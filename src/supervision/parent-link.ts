/** The descriptor by which parent and child know of each other: each sees its end when the other is gone. */
export const LINK_FD = 3;

/** What the parent passes to the child as its one argument. */
export interface Handover {
  /** The process that ran before and ended abnormally; absent: this is the first. */
  readonly previous?: PreviousProcess;
}

export interface PreviousProcess {
  readonly pid: number;
  /** As `ProcessIdentity` has it. */
  readonly start?: string | undefined;
  /** "SIGABRT", "exit code 1". */
  readonly how: string;
  /** How often the parent has started the child again, this time included. */
  readonly restarts: number;
}

/** What the parent passed on; undefined in a process that has no such parent. */
export function readHandover(argument: string | undefined): Handover | undefined {
  return argument === undefined ? undefined : (JSON.parse(argument) as Handover);
}
