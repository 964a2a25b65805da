// Preloaded by tests (NODE_OPTIONS=--require): MODEL_PORT is the only port at which this process looks for model servers.
const { MODEL_SERVER_PORTS } = require('../../dist/src/llm/discovery/find-model-server.js');

MODEL_SERVER_PORTS.splice(0, MODEL_SERVER_PORTS.length, Number(process.env.MODEL_PORT));
