import type { Ability } from '#commands/model/ability.ts';
import type { Column } from '#commands/model/column.ts';
import type { Context } from '#commands/model/context.ts';
import { entityLabels, type AnyEntity, type ItemsTab, type DetailTab } from '#commands/model/entity.ts';
import type { Filter } from '#commands/model/filter.ts';
import { FIRST_PAGE } from '#commands/model/tab-filter.ts';
import { printFilter } from '#commands/query/print.ts';
import { message, type Message } from '#commands/text/message.ts';
import { loadParser } from '#src/registry/filter-language.ts';
import { registry } from '#src/registry/registry.ts';

export const OVERVIEW = 'overview';

/** Number of items per page of a tab. */
const PAGE_SIZE = 50;

/**
 * Returns the tabs after the overview, in order. Excludes tabs that the user cannot see, and tabs that don't apply to
 * the item, which is undefined until it has loaded.
 */
export function detailTabsOf(
  entity: AnyEntity,
  abilities: ReadonlySet<Ability>,
  item?: unknown,
): readonly DetailTab<unknown>[] {
  const tabs = [...(entity.detailTabs ?? []), ...(entity.itemTabs ?? []).flatMap(toDetailTabs)];
  const applies = ({ appliesTo }: DetailTab<unknown>): boolean =>
    !appliesTo || (item !== undefined && item !== null && appliesTo(item));
  return tabs.filter((tab) => (!tab.requires || abilities.has(tab.requires)) && applies(tab));
}

/** Creates a tab that lists items of another entity. Its rows open the items. */
function toDetailTabs({
  id,
  entity: name,
  key,
  value,
  organization,
  columns,
  add,
  addsMore,
  appliesTo,
}: ItemsTab<unknown>): readonly DetailTab<unknown>[] {
  const entity = registry().entity(name);
  if (!entity) return [];
  const filterFor = (item: unknown): Filter => ({
    terms: [{ key, negated: false, test: { values: [value(item)] } }],
    words: [],
    sort: [],
  });
  const tab: DetailTab<unknown> = {
    id,
    ...(entity.requires ? { requires: entity.requires } : {}),
    columns: entity.columns.filter((column) => columns.includes(column.id)).map(fitToPanel),
    ...(appliesTo ? { appliesTo } : {}),
    ...(add ? { add } : {}),
    ...(addsMore ? { addsMore } : {}),
    limit: PAGE_SIZE,
    pages: true,
    load: async (context, item, { page } = FIRST_PAGE) => {
      const listContext = organization ? inOrganization(organization(item), context) : context;
      const { compileFilter } = await loadParser();
      const compiledFilter = await compileFilter(entity, filterFor(item), listContext);
      const { items, capped } = await entity.list(listContext, compiledFilter, { page, size: PAGE_SIZE });
      return capped ? Object.assign([...items], { capped }) : items;
    },
    ...(entity.cappedMessage ? { cappedMessage: entity.cappedMessage } : {}),
    key: (row) => entity.id(row),
    opens: (row, item) => ({
      entity: name,
      id: entity.id(row),
      ...(organization ? { organization: organization(item) } : {}),
    }),
    ...(entity.screen && !organization
      ? { fullList: (item) => ({ id: `${name}.list`, args: { filter: printFilter(filterFor(item)) } }) }
      : {}),
  };
  return [tab];
}

/** Returns a copy of the context for calls to another organization. */
function inOrganization(organization: string, context: Context): Context {
  return { ...context, organization: { ...context.organization, id: organization } };
}

/** Adapts a column to the panel. The panel is a third as wide as a table, and shows text next to a health mark. */
function fitToPanel(column: Column<unknown>): Column<unknown> {
  if (column.kind === 'health') return { ...column, width: 72 };
  return column.grow ? { ...column, width: Math.min(column.width, 110) } : column;
}

interface TabTitle {
  readonly id: string;
  readonly title: Message;
}

/**
 * Returns the tabs of an item that the user can see. On a full screen, the overview is not a tab, because it has its
 * own place.
 */
export function tabsFor(
  entity: AnyEntity,
  abilities: ReadonlySet<Ability>,
  { isFull, item }: { readonly isFull: boolean; readonly item?: unknown },
): readonly TabTitle[] {
  const detailTabs = detailTabsOf(entity, abilities, item).map(({ id }) => ({
    id,
    title: entityLabels.detailTab(entity, id),
  }));
  return isFull ? detailTabs : [{ id: OVERVIEW, title: message('console:panel.overview') }, ...detailTabs];
}

/** Returns the tab before or after `current` (by default the first one), wrapping around. Undefined without tabs. */
export function neighborTab(tabs: readonly TabTitle[], current: string | undefined, step: 1 | -1): string | undefined {
  const index = Math.max(
    0,
    tabs.findIndex(({ id }) => id === current),
  );
  return tabs.at((index + step) % tabs.length)?.id;
}
