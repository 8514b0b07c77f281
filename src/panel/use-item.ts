import { useQuery } from '@tanstack/react-query';

import type { AnyEntity } from '#commands/model/entity.ts';
import { failureOf } from '#commands/model/errors.ts';
import { keyOf, queryClient } from '#src/data/query-client.ts';
import { contextNow } from '#src/run/context.ts';

function itemKey(organization: string, entity: AnyEntity | undefined, id: string | undefined): readonly unknown[] {
  return keyOf(organization, entity?.name ?? '', 'item', id ?? '');
}

/**
 * Loads an item of any entity. The result is null if the item does not exist or the user cannot see it. With
 * `keepPrevious`, the previous item stays until the new item has loaded.
 */
export function useItem(
  organization: string,
  entity: AnyEntity | undefined,
  id: string | undefined,
  keepPrevious = false,
) {
  return useQuery({
    queryKey: itemKey(organization, entity, id),
    queryFn: async ({ signal }) =>
      entity && id !== undefined ? ((await entity.byIds(contextNow({ signal }), [id]))[0] ?? null) : null,
    placeholderData: (previous) => (keepPrevious ? previous : undefined),
    enabled: entity !== undefined && id !== undefined,
  });
}

/** Returns an item that {@link useItem} has loaded. */
export function loadedItem(organization: string, entity: AnyEntity, id: string): unknown {
  return queryClient.getQueryData(itemKey(organization, entity, id));
}

/** True if the item doesn't exist, as opposed to still loading or having failed to load. */
export function isNotFound({ data, error }: Pick<ReturnType<typeof useItem>, 'data' | 'error'>): boolean {
  return data === null || (!data && error !== null && failureOf(error).code === 'not_found');
}
