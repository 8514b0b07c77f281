import { useQueries } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';

import { entityTexts, type AnyEntity } from '#commands/core/entity';
import { countTarget } from '#commands/core/lookup';
import { withSort } from '#commands/query/edit';
import { parseFilter } from '#commands/query/parse';

import { keyOf } from '../data/query-client.ts';
import { contextNow } from '../host/context.ts';
import { useSay, useText } from '../i18n.ts';
import { actingAtom } from '../state/acting.ts';
import { ToggleTabs } from '../ui/ToggleTabs.tsx';

interface ViewTabsProps {
  readonly entity: AnyEntity;
  readonly filter: string;
  readonly onFilter: (text: string) => void;
}

/** The saved views of a screen, by number key, each with how many it matches now. */
export function ViewTabs({ entity, filter, onFilter }: ViewTabsProps) {
  const say = useSay();
  const text = useText();
  const organization = useAtomValue(actingAtom)?.organization.id ?? '';
  const views = entity.views ?? [];
  const counts = useQueries({
    queries: views.map((view) => ({
      queryKey: keyOf(organization, entity.name, 'count', view.filter),
      queryFn: () => countTarget(entity, { query: view.filter || '*' }, contextNow()),
    })),
  });
  if (views.length === 0) return null;
  // The same items in another order are the same view.
  const unsorted = (text: string): string => withSort(text, entity, []);
  const active =
    parseFilter(filter, entity).problems.length > 0
      ? undefined
      : views.find((view) => unsorted(view.filter) === unsorted(filter));
  return (
    <ToggleTabs
      label={text('screen.views')}
      value={active?.id}
      onValue={(id) => onFilter(views.find((view) => view.id === id)?.filter ?? '')}
      tabs={views.map((view, index) => ({
        id: view.id,
        keys: String(index + 1),
        label: say(entityTexts.view(entity, view.id)),
        count: counts[index]?.data?.toLocaleString(),
      }))}
    />
  );
}
