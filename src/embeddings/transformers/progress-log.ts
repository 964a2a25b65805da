import type { Logger } from '../../base/logger';

const LINES = 10;

/** Logs the progress of a long task with one line for each tenth of it. */
export class ProgressLog {
  readonly #logger: Pick<Logger, 'info'>;
  readonly #what: string;
  #loggedTenths = 0;

  constructor(logger: Pick<Logger, 'info'>, what: string) {
    this.#logger = logger;
    this.#what = what;
  }

  logStart(fields: Readonly<Record<string, unknown>>): void {
    this.#logger.info(fields, this.#what);
  }

  /** @param share the completed share of the task, 0 to 1 */
  logProgress(share: number): void {
    const tenths = Math.floor(share * LINES);
    if (tenths <= this.#loggedTenths) return;
    this.#loggedTenths = tenths;
    this.#logger.info(`${this.#what}: ${(tenths * 100) / LINES} %`);
  }
}
