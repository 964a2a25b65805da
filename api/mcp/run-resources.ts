import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import { isHoldfastError } from '../../src/base/errors';
import type { Engine } from '../../temporal/engine';
import type { ShownRuns } from '../../temporal/runs/run-lookup';
import { loadText } from '../../temporal/payloads/stored-json';
import { findYoungRun } from '../../temporal/runs/young-run';
import { withSteps } from '../runs/with-steps';
import { JSON_TYPE, type ResourceSource } from './resource-source';
import { readRunUri, RUN_URI_TEMPLATE } from './resource-uris';

/** Creates the source of the records of runs. */
export function runResources(engine: Engine, shown: ShownRuns): ResourceSource {
  return {
    templates: [
      {
        uriTemplate: RUN_URI_TEMPLATE,
        name: 'run',
        description: 'The record of a run: its state, its steps, and its result or error',
        mimeType: JSON_TYPE,
      },
    ],
    async read(uri, { context }) {
      const { owner, admit } = context;
      const traceId = readRunUri(uri);
      if (traceId === undefined) return undefined;
      try {
        const run = await findYoungRun(engine, { ...shown, owner, admit }, { traceId });
        return [
          { uri, mimeType: JSON_TYPE, text: await loadText(await withSteps(engine, run, context), admit) },
        ];
      } catch (error) {
        if (isHoldfastError(error) && error.code === 'RUN_NOT_FOUND') throw new ResourceNotFoundError(uri);
        throw error;
      }
    },
  };
}
