import { create, type MessageInitShape } from '@bufbuild/protobuf';

import { ModemSelectionSchema, ModemService } from '#proto/gen/hiber/modem_pb.ts';
import type { Context } from '#commands/model/context.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';

export interface Countable {
  readonly value: string;
  readonly selection: MessageInitShape<typeof ModemSelectionSchema>;
}

/**
 * The values of a filter key with how many devices each selects: the total of a list of which one item is asked for.
 * `key` keeps them for a while, so that typing does not ask again.
 */
export function counted(context: Context, key: string, values: readonly Countable[]): Promise<readonly Suggestion[]> {
  return context.cached(`device-${key}:counts`, (shared) =>
    Promise.all(
      values.map(async ({ value, selection }) => {
        const request = {
          organization: context.organization.id,
          selection: create(ModemSelectionSchema, selection),
          pagination: { size: 1 },
        };
        const { pagination } = await shared.api(ModemService).list(request, { signal: shared.signal });
        return { value, label: value, count: pagination?.total ?? 0 };
      }),
    ),
  );
}
