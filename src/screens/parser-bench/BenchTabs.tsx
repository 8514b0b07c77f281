import { useQuery } from '@tanstack/react-query';
import { useState, type KeyboardEvent, type ReactNode } from 'react';

import { entityLabels, type AnyEntity } from '#commands/model/entity.ts';
import { parser } from '#commands/nouns/data/parser/entity.ts';
import { idOf, type ParserItem } from '#commands/nouns/data/parser/item.ts';
import { loadLinks, type LinkSide } from '#commands/nouns/data/parser/links.ts';
import { keyOf } from '#src/data/query-client.ts';
import { formatCount, useText, useTranslate } from '#src/i18n/i18n.ts';
import { useKeyHints } from '#src/keymap/bindings.ts';
import { isTyping } from '#src/keymap/target.ts';
import { DetailTabList } from '#src/panel/DetailTabList.tsx';
import { detailTabsOf } from '#src/panel/tabs.ts';
import { directory } from '#src/registry/registry.ts';
import { contextNow } from '#src/run/context.ts';
import { ToggleTabs } from '#src/ui/ToggleTabs.tsx';

import { isKeyFor } from './use-bench-keys.ts';

/** The tabs of the parser's panel that are also tabs of the bench, in order. The definition is on the bench itself. */
const TABS = ['fields', 'devices', 'tags'];
const BENCH = 'bench';

/** The tabs use the keys of a table's views. */
const viewCommand = (index: number): string => `view.saved-${index + 1}`;

const entity = parser as unknown as AnyEntity;

interface BenchTabsProps {
  readonly organization: string;
  readonly item: ParserItem;
  /** Renders the bench, which is covered while another tab is shown. */
  readonly bench: (isShown: boolean) => ReactNode;
}

/**
 * The bench, and tabs for the parser's fields, devices, and tags. The bench stays mounted, so switching tabs keeps its
 * state.
 */
export function BenchTabs({ organization, item, bench }: BenchTabsProps) {
  const t = useText('parser');
  const translate = useTranslate();
  const [current, setCurrent] = useState(BENCH);
  const keyHints = useKeyHints();
  const { abilities } = contextNow().actor;
  const detailTabs = TABS.flatMap((id) => detailTabsOf(entity, abilities).find((tab) => tab.id === id) ?? []);
  const ids = [BENCH, ...detailTabs.map(({ id }) => id)];
  const activeTab = detailTabs.find(({ id }) => id === current);
  const titleOf = (id: string): string => translate(entityLabels.detailTab(entity, id));
  const counts = useCounts(organization, item);

  const onKeyDown = (event: KeyboardEvent): void => {
    const id = ids.find((_, index) => isKeyFor(viewCommand(index), event));
    if (isTyping(event.target) || id === undefined) return;
    event.preventDefault();
    setCurrent(id);
  };
  return (
    <div className="flex h-full min-h-0 flex-col" onKeyDown={onKeyDown}>
      <ToggleTabs
        label={t('bench.tabs')}
        value={current}
        onValue={setCurrent}
        tabs={ids.map((id, index) => ({
          id,
          label: id === BENCH ? t('bench.tab') : titleOf(id),
          keys: keyHints(directory().command(viewCommand(index))),
          suffix: counts[id] !== undefined && (
            <span className="text-ink-3 tabular-nums">{formatCount(counts[id])}</span>
          ),
        }))}
      />
      <div className="min-h-0 flex-1" hidden={current !== BENCH}>
        {bench(current === BENCH)}
      </div>
      {activeTab && (
        <section aria-label={titleOf(activeTab.id)} className="min-h-0 max-w-[840px] flex-1 overflow-y-auto">
          <DetailTabList
            key={activeTab.id}
            title={titleOf(activeTab.id)}
            queryKey={keyOf(organization, entity.name, 'detailTabs', activeTab.id, idOf(item))}
            tab={activeTab}
            item={item}
          />
        </section>
      )}
    </div>
  );
}

/** Counts for the labels of the tabs. Undefined until they have loaded. */
function useCounts(organization: string, item: ParserItem): Readonly<Record<string, number | undefined>> {
  const id = idOf(item);
  const { data } = useQuery({
    queryKey: keyOf(organization, 'parser', 'bench', id, 'links'),
    queryFn: async ({ signal }) => {
      const context = contextNow({ signal });
      if (!context.actor.abilities.has('ASSIGNMENTS')) return {};
      const count = async (side: LinkSide): Promise<number | undefined> =>
        (await loadLinks(context, [id], side)({ size: 1 })).pagination?.total;
      const [devices, tags] = await Promise.all([count('device'), count('tag')]);
      return { devices, tags };
    },
  });
  return { ...data, fields: item.parser.dataFields.length };
}
