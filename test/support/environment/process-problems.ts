/** Where the code of a suite, which has globals of its own, leaves problems of its processes for the environment. */
const KEY = Symbol.for('holdfast.test.process-problems');

type Holder = { [KEY]?: string[] };

/** Fails the suite at its end, unless a test takes the problem. */
export function noteProblem(problem: string): void {
  ((globalThis as Holder)[KEY] ??= []).push(problem);
}

/** The problems noted since the last call, for a test that causes one on purpose. */
export function takeProblems(): string[] {
  return takeProblemsOf(globalThis);
}

/** @param holder the globals of a suite */
export function takeProblemsOf(holder: object): string[] {
  return (holder as Holder)[KEY]?.splice(0) ?? [];
}
