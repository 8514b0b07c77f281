import { create, type MessageInitShape } from '@bufbuild/protobuf';

import type { Context } from '#commands/model/context.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { ModemSelectionSchema, ModemService } from '#proto/gen/hiber/modem_pb.ts';

export interface CountableValue {
  readonly value: string;
  readonly selection: MessageInitShape<typeof ModemSelectionSchema>;
}

/**
 * Counts the devices that each value of a filter key selects. Each count is the total of a list request for one item.
 * The counts are cached under `key`, to avoid requests on every keystroke.
 */
export function countDevices(
  context: Context,
  key: string,
  values: readonly CountableValue[],
): Promise<readonly Suggestion[]> {
  return context.loadCached(`device-${key}:counts`, (sharedContext) =>
    Promise.all(
      values.map(async ({ value, selection }) => {
        const request = {
          organization: context.organization.id,
          selection: create(ModemSelectionSchema, selection),
          pagination: { size: 1 },
        };
        const { pagination } = await sharedContext.api(ModemService).list(request, { signal: sharedContext.signal });
        return { value, label: value, count: pagination?.total ?? 0 };
      }),
    ),
  );
}
