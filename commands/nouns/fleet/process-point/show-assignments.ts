import type { Column } from '#commands/model/column.ts';
import { command } from '#commands/model/command.ts';
import { requireCapability } from '#commands/model/context.ts';
import { p } from '#commands/model/params.ts';
import { message } from '#commands/text/message.ts';

import { processPoint } from './entity.ts';
import { onlyPoint, type Period } from './periods.ts';
import { loadTimeline } from './timeline.ts';

interface Row extends Period {
  readonly number: string;
  readonly name: string;
}

const iso = (ms: number | undefined): string | undefined => (ms === undefined ? undefined : new Date(ms).toISOString());

const columns: readonly Column<Row>[] = [
  { id: 'number', kind: 'mono', width: 88, value: ({ number }) => number },
  { id: 'name', kind: 'text', width: 110, grow: 1, value: ({ name }) => name },
  { id: 'from', kind: 'time', width: 150, value: ({ since }) => iso(since), time: ({ since }) => since },
  {
    id: 'until',
    kind: 'time',
    width: 150,
    value: ({ until }) => iso(until) ?? message('process-point:now'),
    time: ({ until }) => until,
  },
  { id: 'fields', kind: 'text', width: 110, value: ({ fields }) => fields.join(', ') || undefined },
];

/** Opens the timeline of a point's devices (spec 2: Device Assignment), or prints it in the CLI. */
export const showAssignments = command({
  id: 'process-point.assignments',
  on: () => processPoint,
  requires: 'VIEW_PROCESS_POINTS',
  features: ['PROCESS_POINTS'],
  effect: 'navigate',
  params: { processPoints: p.many(() => processPoint, { atMost: 1 }) },
  positional: ['processPoints'],
  run: async (context, { processPoints: { items } }) => {
    const item = onlyPoint(items);
    const { output } = context.host;
    if (!output) {
      const path = `/process-points/${encodeURIComponent(processPoint.id(item))}/assign`;
      requireCapability(context, 'navigate')({ path });
      return {};
    }
    const rows = (await loadTimeline(context, item)).flatMap(({ number, name, periods }) =>
      periods.map((period): Row => ({ number, name, ...period })),
    );
    const json = rows.map(({ number, name, since, until, fields }) => ({
      device: number,
      name,
      from: iso(since),
      until: iso(until),
      fields,
    }));
    output.rows({ columns, rows, json });
    return {};
  },
});
