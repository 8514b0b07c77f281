import type { ReactNode } from 'react';

import { entityLabels, type AnyEntity } from '#commands/model/entity.ts';
import { keyOf } from '#src/data/query-client.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { contextNow } from '#src/run/context.ts';
import { invoke } from '#src/run/invoke.ts';
import { LoadError } from '#src/run/LoadError.tsx';
import { cx } from '#src/ui/cx.ts';
import { SkeletonRows } from '#src/ui/Skeleton.tsx';
import { StateMessage } from '#src/ui/StateMessage.tsx';
import { Tabs, type Tab } from '#src/ui/Tabs.tsx';

import { DetailTabList } from './DetailTabList.tsx';
import { FilesTab } from './FilesTab.tsx';
import { Closable, ItemHeader } from './ItemHeader.tsx';
import { Overview } from './Overview.tsx';
import { OVERVIEW, detailTabsOf } from './tabs.ts';
import { isNotFound, useItem } from './use-item.ts';
import { ValuesTab } from './ValuesTab.tsx';

interface ItemPanelProps {
  readonly organization: string;
  readonly entity: AnyEntity;
  readonly id: string;
  readonly tab: string | undefined;
  /** True if the item fills the screen. */
  readonly isFull: boolean;
}

/** An item with its details and tabs, next to the table or in its place. Follows the active row. */
export function ItemPanel({ id, ...shared }: ItemPanelProps) {
  const { organization, entity, isFull } = shared;
  const translate = useTranslate();
  const t = useText();
  const query = useItem(organization, entity, id, true);
  const { data, error, refetch } = query;
  const noun = translate(entityLabels.one(entity));
  if (isNotFound(query))
    return (
      <Closable isFull={isFull}>
        <StateMessage title={t('panel.gone', { title: noun, id })}>{t('panel.goneHint')}</StateMessage>
      </Closable>
    );
  if (error && !data) {
    return (
      <Closable isFull={isFull}>
        <LoadError title={t('panel.itemFailed', { title: noun })} error={error} retry={() => void refetch()} />
      </Closable>
    );
  }
  if (data === undefined)
    return (
      <div className="p-4">
        <SkeletonRows count={8} label={t('panel.loading', { title: noun })} />
      </div>
    );
  return <Item {...shared} item={data} />;
}

interface ItemProps extends Omit<ItemPanelProps, 'id'> {
  readonly item: unknown;
}

function Item({ entity, item, tab, isFull, organization }: ItemProps) {
  const t = useText();
  const label = entity.label(item);
  const overview = <Overview entity={entity} item={item} isFull={isFull} />;
  const detailTabs = useTabs(organization, entity, item);
  const tabs = isFull ? detailTabs : [{ id: OVERVIEW, label: t('panel.overview'), content: overview }, ...detailTabs];
  const current = tabs.find(({ id }) => id === tab) ?? tabs[0];
  const strip = current && (
    <Tabs
      tabs={tabs}
      value={current.id}
      onValue={(tabId) => void invoke({ id: 'view.show-tab', args: { tab: tabId } })}
      label={label}
      className="min-h-0 flex-1"
    />
  );
  return (
    <article className="@container/item flex h-full min-h-0 flex-col" aria-label={label}>
      <ItemHeader entity={entity} item={item} isFull={isFull} />
      {isFull ? <Halves label={t('panel.overview')} overview={overview} tabs={strip} /> : strip}
    </article>
  );
}

interface HalvesProps {
  readonly label: string;
  readonly overview: ReactNode;
  readonly tabs: ReactNode;
}

/** The overview beside the tabs, each with its own scrollbar, or above them if the window is too narrow for both. */
function Halves({ label, overview, tabs }: HalvesProps) {
  return (
    <div
      className={cx(
        'min-h-0 flex-1 divide-line overflow-y-auto border-t border-line @max-[56rem]/item:divide-y',
        '@min-[56rem]/item:grid @min-[56rem]/item:grid-cols-[26rem_minmax(0,1fr)] @min-[56rem]/item:grid-rows-1',
        '@min-[56rem]/item:divide-x @min-[56rem]/item:overflow-hidden',
        '@min-[96rem]/item:grid-cols-[50rem_minmax(0,1fr)]',
      )}
    >
      <section aria-label={label} className="@container/overview min-h-0 @min-[56rem]/item:overflow-y-auto">
        {overview}
      </section>
      {tabs}
    </div>
  );
}

/** Returns the tabs of an item that the user can see, after the overview. */
function useTabs(organization: string, entity: AnyEntity, item: unknown): readonly Tab<string>[] {
  const translate = useTranslate();
  return detailTabsOf(entity, contextNow().actor.abilities, item).map((tab) => {
    const title = translate(entityLabels.detailTab(entity, tab.id));
    const queryKey = keyOf(organization, entity.name, 'detailTabs', tab.id, entity.id(item));
    const content = tab.files ? (
      <FilesTab key={tab.id} organization={organization} title={title} tab={tab} item={item} />
    ) : tab.owner ? (
      <ValuesTab key={tab.id} organization={organization} title={title} tab={tab} item={item} />
    ) : (
      <DetailTabList key={tab.id} title={title} queryKey={queryKey} tab={tab} item={item} />
    );
    return { id: tab.id, label: title, content };
  });
}
