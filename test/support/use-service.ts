import { pathsOf } from './http';
import { LEXICAL } from './memories';
import { type ModelService, withModelServers } from './model-service';
import { askFor, type Lease } from './offer';
import type { SharedService } from './service';
import type { ServiceAddress, ServiceRequest } from './shared-services';

type Settings = ServiceRequest['settings'];

/**
 * Gives the suite a running service, which suites with the same settings use at the same time. So a suite has users, sessions and
 * names that no other has, and counts nothing of all callers. The service is stopped after all suites; `stop` ends this suite's use.
 */
export async function useService(settings: Settings = LEXICAL): Promise<SharedService> {
  return serviceOf(await askForService({ settings }));
}

/**
 * As `useService`, but no other suite uses the service meanwhile. So a suite may look at all runs, figures and files. What earlier
 * suites have stored is still there; of their tools only the built-in ones are.
 */
export async function useServiceAlone(settings: Settings = LEXICAL): Promise<SharedService> {
  const service = serviceOf(await askForService({ settings, alone: true }));
  await restoreTools(service);
  return service;
}

/**
 * As `useServiceAlone`, with a hosted and a local provider, each a scripted server of this suite; hosted is the default.
 */
export function useModelService(settings: Settings = LEXICAL): Promise<ModelService> {
  return withModelServers(async (hosted, local) => {
    const models = { hosted: portOf(hosted.url), local: portOf(local.url) };
    const service = serviceOf(await askForService({ settings, models }));
    await restoreTools(service);
    return service;
  });
}

function askForService(request: ServiceRequest): Promise<Lease<ServiceAddress>> {
  return askFor(Number(process.env['HOLDFAST_TEST_SERVICES']), request);
}

function serviceOf({ value, release }: Lease<ServiceAddress>): SharedService {
  return { ...value, ...pathsOf(value.url), stop: async () => release() };
}

async function restoreTools({ post }: SharedService): Promise<void> {
  for (const action of ['clear', 'restore']) {
    const { status, text } = await post(`/api/tools/${action}`);
    if (status !== 200) throw new Error(`the tools were not restored: ${status} ${text}`);
  }
}

const portOf = (url: string): number => Number(new URL(url).port);
