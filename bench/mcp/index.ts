import { rm } from 'node:fs/promises';
import { Pool } from 'undici';
import { type Latency, measureLatency, measureThroughput } from '../load';
import { readChildren, readOwnCpuMs } from '../scale/cpu';
import { type BenchService, ONE_CALL, startService } from '../service';
import { median } from '../statistics';
import { CALLERS, measureRound, ratiosOf, type Subject, subject } from '../subjects';
import { makeBenchFolder } from '../unwinding';
import { postJson } from '../post-json';

const REVISION = '2026-07-28';

const ROUNDS = 9;
/** Compiled code is as fast as it gets after about this number of runs. */
const WARM_UP_CALLS = 1_500;
const TOOLS = 1_000;
const PAGES = 300;
const LISTINGS = 40;

export interface McpReport {
  readonly rounds: number;
  /** Medians over the rounds, ms. */
  readonly rows: readonly {
    readonly name: string;
    readonly p50: number;
    readonly p95: number;
    readonly throughput: number;
    readonly cpu: number;
  }[];
  /** A call at /mcp to one over HTTP. */
  readonly ratios: { readonly p50: number; readonly throughput: number; readonly cpu: number };
  readonly lists: {
    readonly tools: number;
    readonly pages: number;
    readonly page: Latency;
    readonly whole: Latency;
    /** CPU time of the service for one page, ms. */
    readonly pageCpu: number;
  };
}

/**
 * Measures a call of an MCP client beside the same call over HTTP, in turns, and then the list of a catalogue of 1,000 registered
 * tools. Both are sent by the same HTTP client, so that the figures are those of the service.
 */
export async function benchMcp(): Promise<McpReport> {
  const dataDir = makeBenchFolder();
  // The default limit of 1,000 includes the built-in tools.
  const service = await startService(dataDir, { MAX_TOOLS: String(TOOLS + 100) });
  const requests = createMcpRequests(service.url);
  try {
    // The service's pid is that of its parent.
    const pid = readChildren(service.pid).at(0) ?? service.pid;
    const http = subject('POST /api/tools/execute', () => service.post('/api/tools/execute', ONE_CALL), pid);
    const mcp = subject('tools/call at /mcp', () => requests.callTool(ONE_CALL.toolName, ONE_CALL.args), pid);
    const subjects = [http, mcp];
    for (const { call } of subjects) await measureThroughput(call, CALLERS, WARM_UP_CALLS);
    for (let round = 0; round < ROUNDS; round += 1) await measureRound(subjects, round);
    return {
      rounds: ROUNDS,
      rows: subjects.map(toRow),
      ratios: {
        p50: median(ratiosOf(mcp.p50, http.p50)),
        throughput: median(ratiosOf(mcp.rate, http.rate)),
        cpu: median(ratiosOf(mcp.cpu, http.cpu)),
      },
      lists: await benchLists(service, requests, pid),
    };
  } finally {
    await requests.close();
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function toRow({ name, p50, p95, rate, cpu }: Subject): McpReport['rows'][number] {
  return { name, p50: median(p50), p95: median(p95), throughput: median(rate), cpu: median(cpu) };
}

async function benchLists(
  service: BenchService,
  { listTools }: McpRequests,
  pid: number,
): Promise<McpReport['lists']> {
  for (let n = 0; n < TOOLS; n += 1) await service.post('/api/tools/register', exampleTool(n));
  const firstPage = (): Promise<unknown> => listTools();
  let pages = 0;
  const whole = async (): Promise<void> => {
    pages = 0;
    let cursor: string | undefined;
    do {
      cursor = await listTools(cursor);
      pages += 1;
    } while (cursor !== undefined);
  };
  await measureLatency(firstPage, PAGES);
  const before = readOwnCpuMs(pid);
  const page = await measureLatency(firstPage, PAGES);
  const pageCpu = (readOwnCpuMs(pid) - before) / PAGES;
  return { tools: TOOLS, page, whole: await measureLatency(whole, LISTINGS), pages, pageCpu };
}

/** A tool with four parameters, as tools commonly have. */
function exampleTool(n: number): object {
  return {
    name: `tool_${String(n).padStart(4, '0')}`,
    description: `Looks up the orders of a customer in region ${n}, the newest first`,
    parameters: {
      customer: { type: 'string', description: 'Id of the customer', required: true },
      status: { type: 'string', description: 'The status of the orders', enum: ['open', 'sent', 'closed'] },
      limit: { type: 'number', description: 'The maximum number of orders' },
      since: { type: 'string', description: 'The day of the oldest order' },
    },
    execute: '(args) => args.customer',
  };
}

export function printMcp({ rounds, rows, ratios, lists }: McpReport): void {
  console.log(`\nMedians over ${rounds} rounds\n`);
  console.log(`| | p50 ms | p95 ms | calls/s at ${CALLERS} callers | CPU ms a call |`);
  console.log('| --- | ---: | ---: | ---: | ---: |');
  for (const { name, p50, p95, throughput, cpu } of rows)
    console.log(`| ${name} | ${[p50, p95, throughput, cpu].map((value) => value.toFixed(1)).join(' | ')} |`);
  const { p50, throughput, cpu } = ratios;
  console.log(`| the ratio | ${p50.toFixed(2)} | | ${throughput.toFixed(2)} | ${cpu.toFixed(2)} |`);
  const { tools, pages, page, whole, pageCpu } = lists;
  const times = (of: Latency): string => `${of.p50.toFixed(1)} | ${of.p95.toFixed(1)}`;
  console.log(`\n| a list of ${tools} tools | p50 ms | p95 ms | CPU ms |\n| --- | ---: | ---: | ---: |`);
  console.log(`| one page | ${times(page)} | ${pageCpu.toFixed(1)} |`);
  console.log(`| all ${pages} pages, one after another | ${times(whole)} | |`);
}

/** The requests of a client of the revision 2026-07-28 that takes no tasks. */
interface McpRequests {
  /** @throws Error if the call does not result in the output of its tool */
  callTool(name: string, args: object): Promise<void>;
  /** Lists one page. @returns the cursor of the next one */
  listTools(cursor?: string): Promise<string | undefined>;
  close(): Promise<void>;
}

interface Answer {
  readonly result?: {
    readonly isError?: boolean;
    readonly structuredContent?: unknown;
    readonly tools?: unknown;
    readonly nextCursor?: string;
  };
}

/** Creates the requests to a service. */
function createMcpRequests(url: string): McpRequests {
  const pool = new Pool(url, { connections: 32 });

  async function send(method: string, params: object, name?: string): Promise<NonNullable<Answer['result']>> {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': REVISION,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const headers = {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      ...(name === undefined ? {} : { 'mcp-name': name }),
    };
    const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } };
    const answer = (await postJson(pool, '/mcp', message, { headers })) as Answer;
    if (answer.result === undefined) throw new Error(`${method} was answered with ${JSON.stringify(answer)}`);
    return answer.result;
  }

  return {
    async callTool(name, args) {
      const result = await send('tools/call', { name, arguments: args }, name);
      if (result.structuredContent === undefined)
        throw new Error(`${name} failed: ${JSON.stringify(result)}`);
    },
    async listTools(cursor) {
      const { tools, nextCursor } = await send('tools/list', cursor === undefined ? {} : { cursor });
      if (tools === undefined) throw new Error('a page has no tools');
      return nextCursor;
    },
    close: () => pool.close(),
  };
}
