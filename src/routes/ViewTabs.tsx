import { useQueries } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';

import { entityTexts, type AnyEntity } from '#commands/core/entity';
import { countTarget } from '#commands/core/lookup';
import { withSort } from '#commands/query/edit';
import { parseFilter } from '#commands/query/parse';
import { registry } from '#commands/all';

import { keyOf } from '../data/query-client.ts';
import { contextNow } from '../host/context.ts';
import { invoke } from '../host/runner.ts';
import { useSay, useText } from '../i18n.ts';
import { useShownKeys } from '../keys/bindings.ts';
import { actingAtom } from '../state/acting.ts';
import { ToggleTabs } from '../ui/ToggleTabs.tsx';

interface ViewTabsProps {
  readonly entity: AnyEntity;
  readonly filter: string;
}

/** The command that shows a view, by its place. */
const showing = (index: number): string => `view.saved-${index + 1}`;

/** The saved views of a screen, by number key, each with how many it matches now. */
export function ViewTabs({ entity, filter }: ViewTabsProps) {
  const say = useSay();
  const text = useText();
  const shownKeys = useShownKeys();
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
      onValue={(id) => void invoke({ id: showing(views.findIndex((view) => view.id === id)), args: {} })}
      tabs={views.map((view, index) => ({
        id: view.id,
        keys: shownKeys(registry.command(showing(index))),
        label: say(entityTexts.view(entity, view.id)),
        count: counts[index]?.data?.toLocaleString(),
      }))}
    />
  );
}
