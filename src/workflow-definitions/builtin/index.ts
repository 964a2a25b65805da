import { type PredefinedWorkflow, predefinedWorkflowSchema } from '../../contracts/http/workflows';
import { calculateOverFetched } from './calculate-over-fetched';
import { compareEndpoints } from './compare-endpoints';
import { fetchAndExtract } from './fetch-and-extract';
import { fetchEach } from './fetch-each';
import { summarisePage } from './summarise-page';
import { weatherReport } from './weather-report';

/**
 * The workflows that come with the service, by id. They are written in the same language as the workflows of callers.
 */
export const builtinWorkflows: readonly PredefinedWorkflow[] = [
  calculateOverFetched,
  compareEndpoints,
  fetchAndExtract,
  fetchEach,
  summarisePage,
  weatherReport,
].map((definition) => predefinedWorkflowSchema.parse(definition));
