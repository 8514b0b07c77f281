import { useQuery } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';

import { entityLabels, type AnyEntity } from '#commands/model/entity.ts';
import type { ParsedFilter } from '#commands/query/parse.ts';
import { keyOf } from '#src/data/query-client.ts';
import { formatCount, useText, useTranslate } from '#src/i18n/i18n.ts';
import { useKeyHints } from '#src/keymap/bindings.ts';
import { countMatching, findView } from '#src/registry/filter-language.ts';
import { directory } from '#src/registry/registry.ts';
import { contextNow } from '#src/run/context.ts';
import { invoke } from '#src/run/invoke.ts';
import { userSessionAtom } from '#src/state/user-session.ts';
import { ToggleTabs } from '#src/ui/ToggleTabs.tsx';

interface ViewTabsProps {
  readonly filter: ParsedFilter;
}

/** Returns the id of the command that shows the view at an index. */
const viewCommand = (index: number): string => `view.saved-${index + 1}`;

/** The views of a screen, each with its number key and current count. */
export function ViewTabs({ filter }: ViewTabsProps) {
  const { entity } = filter;
  const translate = useTranslate();
  const t = useText();
  const keyHints = useKeyHints();
  const views = entity.views ?? [];
  if (views.length === 0) return null;
  return (
    <ToggleTabs
      label={t('screen.views')}
      value={findView(filter)?.id}
      onValue={(id) => void invoke({ id: viewCommand(views.findIndex((view) => view.id === id)), args: {} })}
      tabs={views.map((view, index) => ({
        id: view.id,
        keys: keyHints(directory().command(viewCommand(index))),
        label: translate(entityLabels.view(entity, view.id)),
        suffix: <ViewCount entity={entity} filter={view.filter} />,
      }))}
    />
  );
}

interface ViewCountProps {
  readonly entity: AnyEntity;
  readonly filter: string;
}

/** The number of items in a view, less prominent than its name. A gap until the count has loaded. */
function ViewCount({ entity, filter }: ViewCountProps) {
  const organization = useAtomValue(userSessionAtom)?.organization.id ?? '';
  const { data } = useQuery({
    queryKey: keyOf(organization, entity.name, 'count', filter),
    queryFn: () => countMatching(entity, filter || '*', contextNow()),
  });
  // Usually wide enough that the next views hardly move.
  if (data === undefined) return <span className="w-[3ch]" />;
  return <span className="text-ink-3 tabular-nums">{formatCount(data)}</span>;
}
