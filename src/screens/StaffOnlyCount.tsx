import { useQuery } from '@tanstack/react-query';

import { entityTexts, type AnyEntity } from '#commands/model/entity.ts';
import { compileText } from '#commands/query/compile.ts';
import { canonicalText } from '#commands/query/edit.ts';

import { keyOf } from '#src/data/query-client.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { contextNow } from '#src/run/context.ts';
import { useSay } from '#src/i18n/i18n.ts';

interface StaffOnlyCountProps {
  readonly entity: AnyEntity;
  readonly organization: string;
  readonly filter: string;
}

/** Reconciles the total that staff see with a customer's: how many items customers cannot see, and the way to them. */
export function StaffOnlyCount({ entity, organization, filter }: StaffOnlyCountProps) {
  const say = useSay();
  const { data } = useQuery({
    queryKey: keyOf(organization, entity.name, 'staff-only', filter),
    queryFn: async ({ signal }) => {
      const context = contextNow({ signal });
      return (await entity.staffOnly?.(context, await compileText(entity, filter, context))) ?? null;
    },
    enabled: entity.staffOnly !== undefined,
  });
  if (!data) return null;
  return (
    <CommandButton
      command={`${entity.name}.list`}
      args={{ filter: canonicalText(`${filter} ${data.term}`, entity) }}
      tone="quiet"
      showKeys={false}
      className="h-6 px-1.5 whitespace-nowrap"
    >
      {say(entityTexts.staffOnly(data))}
    </CommandButton>
  );
}
