import { basicHealthSchema, detailedHealthSchema } from '../../src/contracts/http/health';
import { type HealthCheck, requireHealthy } from './health-check';
import { documentedAs } from '../http/examples';
import { type AnyRoute, defineRoute } from '../http/route';

/** The routes of health: 200 while every component answers and workers take runs, else 503. */
export function healthRoutes(health: HealthCheck): AnyRoute[] {
  return [
    defineRoute({
      method: 'get',
      path: '/api/health',
      ...documentedAs('getHealth'),
      access: 'open',
      tag: 'Health',
      summary: 'Health in short',
      message: 'System is healthy',
      request: {},
      response: basicHealthSchema,
      handler: async () => requireHealthy(await health.basic()),
    }),
    defineRoute({
      method: 'get',
      path: '/api/health/detailed',
      ...documentedAs('getDetailedHealth'),
      access: 'read',
      tag: 'Health',
      summary: 'Health of each component, with figures',
      message: 'Detailed health check completed',
      request: {},
      response: detailedHealthSchema,
      handler: async () => requireHealthy(await health.detailed()),
    }),
  ];
}
