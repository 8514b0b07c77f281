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

/** Returns the tabs after the overview, in order. Excludes tabs that the user cannot see. */
export function detailTabsOf(entity: AnyEntity, abilities: ReadonlySet<Ability>): readonly DetailTab<unknown>[] {
  const tabs = [...(entity.detailTabs ?? []), ...(entity.itemTabs ?? []).flatMap(toDetailTabs)];
  return tabs.filter(({ requires }) => !requires || abilities.has(requires));
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
    ...(add ? { add } : {}),
    ...(addsMore ? { addsMore } : {}),
    limit: PAGE_SIZE,
    pages: true,
    load: async (context, item, { page } = FIRST_PAGE) => {
      const listContext = organization ? inOrganization(organization(item), context) : context;
      const { compileFilter } = await loadParser();
      const compiledFilter = await compileFilter(entity, filterFor(item), listContext);
      return (await entity.list(listContext, compiledFilter, { page, size: PAGE_SIZE })).items;
    },
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

/** Returns the tabs of an item's panel that the user can see. */
export function tabsFor(
  entity: AnyEntity,
  abilities: ReadonlySet<Ability>,
): readonly { readonly id: string; readonly title: Message }[] {
  const detailTabs = detailTabsOf(entity, abilities).map(({ id }) => ({
    id,
    title: entityLabels.detailTab(entity, id),
  }));
  return [{ id: OVERVIEW, title: message('console:panel.overview') }, ...detailTabs];
}

/** Returns the tab before or after `current`, wrapping around. */
export function neighborTab(
  entity: AnyEntity,
  abilities: ReadonlySet<Ability>,
  current: string | undefined,
  step: 1 | -1,
): string {
  const ids = tabsFor(entity, abilities).map(({ id }) => id);
  const index = Math.max(0, ids.indexOf(current ?? OVERVIEW));
  return ids[(index + step + ids.length) % ids.length] ?? OVERVIEW;
}
