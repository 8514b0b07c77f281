import { toJson } from '@bufbuild/protobuf';

import { command } from '#commands/model/command.ts';
import { requireCapability } from '#commands/model/context.ts';
import { p, required } from '#commands/model/params.ts';

import { device } from '../entity.ts';
import { loadLocations, locationColumns, locationParams, locationsTab } from './tab.ts';

/** Opens the places where a device was in the console's panel, or prints them in the CLI. */
export const showLocations = command({
  id: 'device.locations',
  requires: 'VIEW_DEVICES',
  effect: 'navigate',
  params: { device: required(p.ref(() => device)), ...locationParams },
  positional: ['device', 'period'],
  run: async (context, { device: item, period }) => {
    const { output } = context.host;
    if (output) {
      const rows = await loadLocations(context, item, period);
      const { LocationHistorySchema } = await import('#proto/gen/hiber/map_pb.ts');
      output.rows({
        columns: locationColumns,
        rows,
        json: rows.map((position) => toJson(LocationHistorySchema, position)),
      });
    } else
      requireCapability(context, 'panel').open(
        device.name,
        device.id(item),
        locationsTab.id,
        period ? { period } : undefined,
      );
    return {};
  },
});
