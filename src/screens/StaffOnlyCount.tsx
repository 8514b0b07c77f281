import { useQuery } from '@tanstack/react-query';

import { entityLabels } from '#commands/model/entity.ts';
import { canonicalText } from '#commands/query/edit.ts';
import type { ParsedFilter } from '#commands/query/parse.ts';
import { keyOf } from '#src/data/query-client.ts';
import { useTranslate } from '#src/i18n/i18n.ts';
import { compile, loadParser } from '#src/registry/filter-language.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { contextNow } from '#src/run/context.ts';

interface StaffOnlyCountProps {
  readonly organization: string;
  readonly filter: ParsedFilter;
}

/** The number of items that only staff can see, as a link to them. Explains why staff see a larger total. */
export function StaffOnlyCount({ organization, filter }: StaffOnlyCountProps) {
  const { entity } = filter;
  const translate = useTranslate();
  const { data } = useQuery({
    queryKey: keyOf(organization, entity.name, 'staff-only', filter.text),
    queryFn: async ({ signal }) => {
      const context = contextNow({ signal });
      const staffOnly = await entity.staffOnly?.(context, await compile(filter, context));
      if (!staffOnly) return null;
      const { parseFilter } = await loadParser();
      return { ...staffOnly, filter: canonicalText(parseFilter(`${filter.text} ${staffOnly.term}`, entity)) };
    },
    enabled: entity.staffOnly !== undefined,
  });
  if (!data) return null;
  return (
    <CommandButton
      command={`${entity.name}.list`}
      args={{ filter: data.filter }}
      tone="quiet"
      showKeys={false}
      className="h-6 px-1.5 whitespace-nowrap"
    >
      {translate(entityLabels.staffOnly(data))}
    </CommandButton>
  );
}
