import pino from 'pino';
import pretty from 'pino-pretty';
import { openLogOutput } from './log-output';

export type Logger = pino.Logger;

/** The settings of the same names. */
export interface LoggerConfig {
  readonly LOG_LEVEL: pino.LevelWithSilent;
  readonly LOG_FORMAT: 'auto' | 'json' | 'pretty';
  readonly WORKER_BUILD_ID?: string | undefined;
}

/**
 * The process's logger, to standard output: one JSON object a line, or readable text on a terminal.
 * `part` names the process in every line, and `build` its build if it has one.
 * @param redact takes the credentials out of each line, a JSON text, before it is written; default: lines stay as they are
 */
export function createLogger(config: LoggerConfig, part: string, redact?: (line: string) => string): Logger {
  const { LOG_LEVEL, WORKER_BUILD_ID: build } = config;
  const options: pino.LoggerOptions = {
    level: LOG_LEVEL,
    base: { part, build },
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: { streamWrite: redact },
  };
  if (!isReadable(config)) {
    const logger: Logger = pino(
      options,
      openLogOutput((lines) =>
        logger.warn({ lines }, 'log lines were dropped, because no process read them'),
      ),
    );
    return logger;
  }
  // The log is written in this thread, because a transport thread costs memory and loses the last lines of a dying
  // process. The stream of pino-pretty would end the process when the terminal is gone.
  const format = pretty.prettyFactory({
    ignore: 'pid,hostname',
    translateTime: 'HH:MM:ss.l',
    singleLine: true,
  });
  return pino(options, { write: (line) => void process.stdout.write(format(line)) });
}

/** Whether the log is text for a person. */
export function isReadable({ LOG_FORMAT }: Pick<LoggerConfig, 'LOG_FORMAT'>): boolean {
  return LOG_FORMAT === 'pretty' || (LOG_FORMAT === 'auto' && process.stdout.isTTY);
}
