import type { Logger } from '../../base/logger';

const LINES = 10;

/** Logs the progress of a long task: one line when it first progresses, and one for each tenth of it. */
export class ProgressLog {
  readonly #logger: Pick<Logger, 'info'>;
  readonly #what: string;
  readonly #fields: Readonly<Record<string, unknown>>;
  #loggedTenths = -1;

  /** @param fields those of the first line */
  constructor(logger: Pick<Logger, 'info'>, what: string, fields: Readonly<Record<string, unknown>>) {
    this.#logger = logger;
    this.#what = what;
    this.#fields = fields;
  }

  /** @param share the completed share of the task, 0 to 1 */
  logProgress(share: number): void {
    if (this.#loggedTenths < 0) {
      this.#loggedTenths = 0;
      this.#logger.info(this.#fields, this.#what);
    }
    const tenths = Math.floor(share * LINES);
    if (tenths <= this.#loggedTenths) return;
    this.#loggedTenths = tenths;
    this.#logger.info(`${this.#what}: ${(tenths * 100) / LINES} %`);
  }
}
