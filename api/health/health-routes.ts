import { z } from 'zod';
import { basicHealthSchema, detailedHealthSchema } from '../../src/contracts/http/health';
import { type HealthCheck, requireHealthy } from './health-check';
import { documentedAs } from '../http/examples';
import { type AnyRoute, routesWith } from '../http/route';
import { takingOthers } from '../http/schema-keys';

/** Monitors add parameters of their own, and a health check that refuses them would report a fault. */
const query = takingOthers(z.strictObject({}));

/** What the routes of health need of the caller's tenant. */
export interface HealthServices {
  readonly health: HealthCheck;
}

const { defineRoute } = routesWith<HealthServices>();

/** The routes of health: 200 while every component answers and workers take runs, else 503. */
export function healthRoutes(): AnyRoute<HealthServices>[] {
  return [
    defineRoute({
      method: 'get',
      path: '/api/health',
      ...documentedAs('getHealth'),
      access: 'open',
      tag: 'Health',
      summary: 'Health in short',
      message: 'System is healthy',
      request: { query },
      response: basicHealthSchema,
      handler: async (_input, { services }) => requireHealthy(await services.health.basic()),
    }),
    defineRoute({
      method: 'get',
      path: '/api/health/detailed',
      ...documentedAs('getDetailedHealth'),
      access: 'read',
      tag: 'Health',
      summary: 'Health of each component, with figures',
      message: 'Detailed health check completed',
      request: { query },
      response: detailedHealthSchema,
      handler: async (_input, { services }) => requireHealthy(await services.health.detailed()),
    }),
  ];
}
