import type { McpServerView, NewMcpServer } from '../contracts/http/mcp-servers';
import type { RemoteTools } from './tool';

/** Names a login that was begun, for the text that comes back with the person. */
export interface BegunLogin {
  readonly name: string;
  /** The id of the registration of the server. */
  readonly server: string;
  readonly id: string;
}

export interface LoginReturn {
  /** Where the authorization server sends the person afterwards. */
  readonly redirectUrl: string;
  /** What it sends along. */
  readonly state: string;
}

/** What the authorization server sends a person back with (RFC 6749, 4.1.2; RFC 9207). */
export interface LoginAnswer {
  readonly code?: string | undefined;
  readonly iss?: string | undefined;
  readonly error?: string | undefined;
  readonly errorDescription?: string | undefined;
}

/** The remote MCP servers of a tenant. All methods throw `STORE_UNAVAILABLE` (retryable). */
export interface RemoteServers {
  /**
   * Adds a server or replaces that of the same name, and registers its tools, which confirms them. With `auth` its tools are
   * registered once a person has logged in.
   * @throws HoldfastError `VALIDATION`; `ACCESS_DENIED` for a command that is not allowed; `MCP_SERVER_UNAVAILABLE` if its
   * tools cannot be listed; `MCP_LOGIN_REQUIRED` if it asks for a login and `auth` is absent
   */
  add(server: NewMcpServer): Promise<McpServerView>;
  /**
   * All servers by name, without the descriptions of tools that wait, which may be megabytes for each server. Lists that are stale
   * are read again in the background.
   */
  list(): Promise<McpServerView[]>;
  /** As `list`, for one. @throws HoldfastError `MCP_SERVER_NOT_FOUND` */
  get(name: string): Promise<McpServerView>;
  /** Removes a server and its tools. @throws HoldfastError `MCP_SERVER_NOT_FOUND` */
  remove(name: string): Promise<void>;
  /** Lists the tools of a server now. One that cannot be reached is away. @throws HoldfastError `MCP_SERVER_NOT_FOUND` */
  refresh(name: string): Promise<McpServerView>;
  /**
   * Takes the new and changed tools into use.
   * @param digest that of the list that the caller has read; another list by now is refused
   * @throws HoldfastError `MCP_SERVER_NOT_FOUND`, `VALIDATION`
   */
  confirm(name: string, digest?: string): Promise<McpServerView>;
  /**
   * Begins the login of a person at a server. One that was begun before cannot be finished any more.
   * @param toReturn says where the person comes back, and with which text
   * @returns the address at which the person logs in
   * @throws HoldfastError `MCP_SERVER_NOT_FOUND`; `VALIDATION` if it has no login; `MCP_SERVER_UNAVAILABLE`
   */
  beginLogin(name: string, toReturn: (login: BegunLogin) => LoginReturn): Promise<string>;
  /**
   * Ends a login that was begun, once, and lists the tools of the server. At the first login it registers them, which confirms them.
   * @throws HoldfastError `VALIDATION`, `ACCESS_DENIED`, `MCP_SERVER_UNAVAILABLE`, `MCP_SERVER_NOT_FOUND`
   */
  finishLogin(login: BegunLogin, answer: LoginAnswer): Promise<McpServerView>;
}

/** The remote servers of a tenant, and the calls of their tools. */
export interface RemoteServices {
  readonly servers: RemoteServers;
  readonly tools: RemoteTools;
}
