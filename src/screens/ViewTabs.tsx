import { useQueries } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';

import { entityTexts, type AnyEntity } from '#commands/model/entity.ts';
import { countTarget } from '#commands/run/lookup.ts';
import { withSort } from '#commands/query/edit.ts';
import { parseFilter } from '#commands/query/parse.ts';
import { registry } from '#commands/nouns/all.ts';

import { keyOf } from '#src/data/query-client.ts';
import { contextNow } from '#src/run/context.ts';
import { invoke } from '#src/run/runner.ts';
import { useSay, useText } from '#src/i18n/i18n.ts';
import { useShownKeys } from '#src/keymap/bindings.ts';
import { actingAtom } from '#src/state/acting.ts';
import { ToggleTabs } from '#src/ui/ToggleTabs.tsx';

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
