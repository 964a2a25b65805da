import { once } from 'node:events';

/**
 * The frame of a script started with `startChild`: gets the argument, waits when the work calls `gate` until
 * the parent opens it, and prints the work's result.
 */
export function childMain(work: (argument: unknown, gate: () => Promise<void>) => Promise<unknown>): void {
  async function gate(): Promise<void> {
    console.log('ready');
    await once(process.stdin, 'data');
    process.stdin.destroy();
  }

  async function run(): Promise<void> {
    const result = await work(JSON.parse(process.argv[2] ?? 'null'), gate);
    console.log(JSON.stringify(result ?? null));
  }

  run().catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
}
