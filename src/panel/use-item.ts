import { useQuery } from '@tanstack/react-query';

import type { AnyEntity } from '#commands/model/entity.ts';
import { failureOf } from '#commands/model/errors.ts';

import { keyOf } from '#src/data/query-client.ts';
import { contextNow } from '#src/run/context.ts';

/**
 * One item of any entity; null where there is none, or none that this person may see. With `keep`, the last one
 * stands until it has loaded.
 */
export function useItem(organization: string, entity: AnyEntity | undefined, id: string | undefined, keep = false) {
  return useQuery({
    queryKey: keyOf(organization, entity?.name ?? '', 'item', id ?? ''),
    queryFn: async ({ signal }) =>
      entity && id !== undefined ? ((await entity.byIds(contextNow({ signal }), [id]))[0] ?? null) : null,
    placeholderData: (previous) => (keep ? previous : undefined),
    enabled: entity !== undefined && id !== undefined,
  });
}

/** Whether there is no such item, as opposed to one that is not here yet or could not be loaded. */
export function isGone({ data, error }: Pick<ReturnType<typeof useItem>, 'data' | 'error'>): boolean {
  return data === null || (!data && error !== null && failureOf(error).code === 'not_found');
}
