import { rangeSpan, showChart } from '#commands/kit/value-chart.ts';
import { findFields, groupOwners, streamValues } from '#commands/kit/value-rows.ts';
import { command } from '#commands/model/command.ts';
import { CommandError } from '#commands/model/errors.ts';
import { p, requiredUnless } from '#commands/model/params.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import { deviceOwner, selectDevices } from '#commands/nouns/fleet/device/value-owner.ts';
import { processPoint } from '#commands/nouns/fleet/process-point/entity.ts';
import { pointOwner, selectPoints } from '#commands/nouns/fleet/process-point/value-owner.ts';
import { parseDuration, printDuration } from '#commands/text/duration.ts';
import { message } from '#commands/text/message.ts';

/** The default start of the values to print. */
const DEFAULT_FROM = '-24h';

/**
 * Returns a range. Its start counts back from its end, but the user enters both as counted back from now.
 *
 * @throws CommandError if it ends before it starts
 */
function createRange(from = DEFAULT_FROM, to = 'now'): { readonly start: string; readonly end: string } {
  const [start, end] = [from, to].map((time) => (/^[-+]/.test(time) ? parseDuration(time) : undefined));
  if (start === undefined || end === undefined) return { start: from, end: to };
  if (start > end) throw new CommandError(message('running:values.order', { from, to }), 'from');
  return { start: `-${printDuration(end - start)}`, end: to };
}

/** Prints any number of values, or opens the chart in the console. */
export const listValues = command({
  id: 'value.list',
  word: 'values',
  effect: 'navigate',
  // The console has separate commands for devices and process points instead.
  unlisted: true,
  params: {
    devices: requiredUnless(
      'point',
      message('value:validation.whose'),
      p.many(() => device),
    ),
    point: p.refs(() => processPoint),
    field: p.words(),
    from: p.time({ max: 'now' }),
    to: p.time(),
    every: p.duration({ min: 1 }),
    csv: p.flag(),
    formulas: p.flag(),
  },
  positional: ['devices'],
  run: async (context, { devices, point, field, from, to, every, csv, formulas }) => {
    const hasPoint = point !== undefined && point.length > 0;
    const owners = hasPoint ? point.map(pointOwner) : (devices?.items ?? []).map(deviceOwner);
    const range = createRange(from, to);
    const { output } = context.host;
    if (!output) {
      await showChart(context, owners, field, from === undefined && to === undefined ? undefined : range);
      return {};
    }
    const span = rangeSpan(range, context, 'from');
    const groups = groupOwners(owners, hasPoint ? selectPoints : selectDevices);
    const [owner, ...others] = owners;
    const ownerName = owner && others.length === 0 ? owner.name : context.organization.name;
    const fields = field && field.length > 0 ? await findFields(context, groups, field, ownerName) : [];
    const interval = every === undefined ? undefined : every * 1000;
    await output.stream(streamValues(context, groups, { fields, span, every: interval, csv, formulas }));
    return {};
  },
});
