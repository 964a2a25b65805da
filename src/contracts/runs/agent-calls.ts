/** How many agents a chain of calls may have, with the first one. */
export const MAX_AGENT_DEPTH = 3;
/** How many turns of agents a run may have, with its first one. */
export const MAX_AGENT_TURNS = 25;

const TOOL_PREFIX = 'agent_';

/** The name under which a planner calls an agent. Pure. */
export const agentToolName = (id: string): string => TOOL_PREFIX + id;

/** The id of the agent that is called under a name; undefined for the name of another tool. Pure. */
export function agentIdOf(toolName: string): string | undefined {
  return isAgentTool(toolName) ? toolName.slice(TOOL_PREFIX.length) : undefined;
}

/** Whether a step is the call of an agent, by its name. Pure. */
export const isAgentTool = (name: string): boolean => name.startsWith(TOOL_PREFIX);

/** An agent that a turn may call, as its planner is offered it. */
export interface CallableAgent {
  readonly id: string;
  readonly description: string;
}

/** What the request of a run allows less than its agents may, which holds for the turns that are called too. */
export interface TurnNarrowing {
  /** The only tools and agents, as in `isOffered`; absent: all. */
  readonly tools?: readonly string[] | undefined;
  /** Present if no memory is searched. */
  readonly memory?: false | undefined;
  /** Present if only memories of the own session are recalled. */
  readonly crossSession?: false | undefined;
}

/** What a turn that another turn has called knows of its run. */
export interface CalledBy {
  /** The workflow id of the turn that waits for this one. */
  readonly workflowId: string;
  /** The number of this agent in its chain of calls; the first agent of a run has 1. */
  readonly depth: number;
  /** How many turns of the run began before this one. */
  readonly turnsBefore: number;
  /**
   * What the caller of the run has written, which alone names hosts and files: a query that a planner wrote may come from texts that
   * anybody may have written.
   */
  readonly callerWords: string;
}

/** The memo field of a turn that was called: which step of the turn before it is. */
export const CALL_MEMO = 'agentCall';

/** What that field holds. */
export interface CallMemo {
  readonly step: string;
  readonly toolName: string;
}
