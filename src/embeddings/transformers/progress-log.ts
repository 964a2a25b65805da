import type { Logger } from '../../base/logger';

const LINES = 10;

/** One line for every tenth of something long, and not one for every piece of it. */
export class ProgressLog {
  private told = 0;

  constructor(
    private readonly logger: Pick<Logger, 'info'>,
    private readonly what: string,
  ) {}

  begin(fields: Readonly<Record<string, unknown>>): void {
    this.logger.info(fields, this.what);
  }

  /** @param share done so far, 0 to 1 */
  reach(share: number): void {
    const tenths = Math.floor(share * LINES);
    if (tenths <= this.told) return;
    this.told = tenths;
    this.logger.info(`${this.what}: ${(tenths * 100) / LINES} %`);
  }
}
