/** What the manager says while it works; a pino logger fits. */
export interface DevServerLogger {
  info(context: object, message: string): void;
  warn(context: object, message: string): void;
  error(context: object, message: string): void;
}

/** Types of custom search attributes, as the server's command line spells them. */
export type SearchAttributeType = 'Text' | 'Keyword' | 'Int' | 'Double' | 'Bool' | 'Datetime' | 'KeywordList';

export interface DevServerOptions {
  /** The `temporal` binary. Absent: the one that the set-up found. */
  readonly cliPath?: string;
  /** The address that server and UI listen on; 127.0.0.1 keeps both on this machine. */
  readonly host: string;
  readonly port: number;
  readonly uiPort: number;
  /** Holds the database, the log and the record of the running server. Made when missing. */
  readonly dataDir: string;
  readonly namespace: string;
  /** Days that the history of a closed run is kept. */
  readonly retentionDays: number;
  /** Custom search attributes to register in the namespace, by name. */
  readonly searchAttributes: Readonly<Record<string, SearchAttributeType>>;
  /** Settings of the server beside our own, as in `frontend.namespaceCount=5`; a name that both have goes by these. */
  readonly dynamicConfig?: readonly string[];
  readonly logger: DevServerLogger;
  /** Longest wait for a started server to answer, ms. Default 30,000. */
  readonly readyTimeoutMs?: number;
  /** Longest wait for the server to end after SIGTERM before it is killed, ms. Default 10,000. */
  readonly stopTimeoutMs?: number;
  /** Gives up a start that is under way; what it had started is ended. Without effect on a server that is up. */
  readonly signal?: AbortSignal;
}

/** How a server ended that nobody had asked to end. */
export interface DevServerExit {
  /** Its exit code; null after a signal, and for an adopted server, whose code only its parent could learn. */
  readonly code: number | null;
  /** One line for a person: the code or signal, and the last line of the log. */
  readonly reason: string;
  /** The last lines of its log, oldest first. */
  readonly lastLines: readonly string[];
}

export interface DevServer {
  /** host:port of the gRPC service. */
  readonly address: string;
  readonly uiUrl: string;
  readonly pid: number;
  /** True when the server was left over from a killed process and was taken over as it was. */
  readonly adopted: boolean;
  /** Ends the server and frees the data folder. Calling it again changes nothing. */
  stop(): Promise<void>;
  /** Resolves when the server ends by itself, and never when it ends by `stop()`. */
  readonly exited: Promise<DevServerExit>;
}

/** The files of a development server inside its data folder. */
export const FILES = {
  database: 'temporal.db',
  log: 'temporal.log',
  record: 'temporal.pid',
} as const;
