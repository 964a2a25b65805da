export { createMcp, type McpEndpoint } from './endpoint/create-mcp';
export { MCP_HEADERS, MCP_METHODS, MCP_PATH, mcpErrors, mountMcp } from './endpoint/mount-mcp';
export type { McpAdditions, McpOffer } from './endpoint/mcp-ports';
export { createMcpOffer } from './endpoint/offer';
export { loginPage } from './routes/login-page';
export { mcpServerRoutes } from './routes/server-routes';
