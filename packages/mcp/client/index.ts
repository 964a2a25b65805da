// A face of its own, so that a worker, which calls remote servers, does not load the endpoint and its HTTP.
export { createMcpClient } from './create-mcp-client';
