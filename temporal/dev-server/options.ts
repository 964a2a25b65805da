/** Receives the log lines about the development server. A pino logger has this form. */
export interface DevServerLogger {
  info(context: object, message: string): void;
  warn(context: object, message: string): void;
  error(context: object, message: string): void;
}

/** Types of custom search attributes, as the server's command line spells them. */
export type SearchAttributeType = 'Text' | 'Keyword' | 'Int' | 'Double' | 'Bool' | 'Datetime' | 'KeywordList';

export interface DevServerOptions {
  /** The `temporal` binary; absent for the one that the set-up has found. */
  readonly cliPath?: string;
  /** The address that server and UI listen on; 127.0.0.1 keeps both on this machine. */
  readonly host: string;
  readonly port: number;
  readonly uiPort: number;
  /** The folder of the database, the log and the record of the running server. It is created if it is missing. */
  readonly dataDir: string;
  readonly namespace: string;
  /** How long the server keeps the history of a closed run, days. */
  readonly retentionDays: number;
  /** Custom search attributes to register in the namespace, by name. */
  readonly searchAttributes: Readonly<Record<string, SearchAttributeType>>;
  /** Further settings of the server, as in `frontend.namespaceCount=5`. They override those of `flags.ts`. */
  readonly dynamicConfig?: readonly string[];
  readonly logger: DevServerLogger;
  /** Longest wait for a started server to answer, ms. Default 30,000. */
  readonly readyTimeoutMs?: number;
  /** Longest wait for the server to end after SIGTERM before it is killed, ms. Default 10,000. */
  readonly stopTimeoutMs?: number;
  /** Aborts a start that is under way and ends what it has started. It has no effect on a server that is up. */
  readonly signal?: AbortSignal;
}

/** How a server ended that was not stopped. */
export interface DevServerExit {
  /** Its exit code; null after a signal, and for an adopted server, whose code only its parent can read. */
  readonly code: number | null;
  /** One line for a person: the code or signal, and the last line of the log. */
  readonly reason: string;
  /** The last lines of its log, the oldest first. */
  readonly lastLines: readonly string[];
}

export interface DevServer {
  /** host:port of the gRPC service. */
  readonly address: string;
  readonly uiUrl: string;
  readonly pid: number;
  /** True when a killed process had left the server running, and this process has taken it over. */
  readonly adopted: boolean;
  /** Ends the server and releases the data folder. Further calls have no effect. */
  stop(): Promise<void>;
  /** Resolves when the server ends by itself, and never when it ends by `stop()`. */
  readonly exited: Promise<DevServerExit>;
}

/** The files of a development server inside its data folder. */
export const FILES = {
  database: 'temporal.db',
  log: 'temporal.log',
  record: 'temporal.pid',
  /** The version of the server that works on the database. */
  version: 'temporal.version',
} as const;
