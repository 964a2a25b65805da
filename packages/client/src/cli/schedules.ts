import { successOf } from '../errors.js';
import type { Command } from './command.js';
import { formatTable } from './output.js';

export const listSchedules: Command = {
  summary: 'lists the schedules, with their next and their latest run',
  operands: [],
  async run({ client }, output) {
    const { data } = successOf(await client.GET('/api/schedules'));
    output.print(data, () =>
      formatTable(
        ['ID', 'ACTION', 'SPEC', 'NEXT RUN', 'LATEST RUN', 'PAUSED'],
        data.schedules.map(({ id, action, spec, nextRuns, lastRuns, paused, reason }) => [
          id,
          action.type,
          [...(spec.cron ?? []), spec.interval].filter(Boolean).join(' | '),
          nextRuns[0],
          lastRuns[0] && `${lastRuns[0].status} ${lastRuns[0].at}`,
          paused ? (reason ?? 'yes') : '',
        ]),
      ),
    );
    return undefined;
  },
};
