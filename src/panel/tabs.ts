import type { Ability } from '#commands/model/ability.ts';
import type { Column } from '#commands/model/column.ts';
import type { Context } from '#commands/model/context.ts';
import { entityTexts, type AnyEntity, type ItemsTab, type DetailTab } from '#commands/model/entity.ts';
import type { Filter } from '#commands/model/filter.ts';
import { message, type Message } from '#commands/text/message.ts';
import { registry } from '#commands/nouns/all.ts';
import { compileFilter } from '#commands/query/compile.ts';
import { printFilter } from '#commands/query/print.ts';

export const OVERVIEW = 'overview';

/** As many items as a tab shows at first. */
const PAGE = 50;

/** What belongs to an item and may be seen by this person, in the order of the tabs after the overview. */
export function detailTabsOf(entity: AnyEntity, abilities: ReadonlySet<Ability>): readonly DetailTab<unknown>[] {
  const all = [...(entity.detailTabs ?? []), ...(entity.itemTabs ?? []).flatMap(asDetailTab)];
  return all.filter(({ requires }) => !requires || abilities.has(requires));
}

/** The items of another entity as rows that open them. */
function asDetailTab({
  id,
  entity,
  key,
  value,
  organization,
  columns,
}: ItemsTab<unknown>): readonly DetailTab<unknown>[] {
  const of = registry.entity(entity);
  if (!of) return [];
  const filterOf = (item: unknown): Filter => ({
    terms: [{ key, negated: false, test: { values: [value(item)] } }],
    words: [],
    sort: [],
  });
  const tab: DetailTab<unknown> = {
    id,
    ...(of.requires ? { requires: of.requires } : {}),
    columns: of.columns.filter((column) => columns.includes(column.id)).map(narrow),
    limit: PAGE,
    pages: true,
    load: async (context, item, { page } = { page: 0, narrow: {} }) => {
      const there = organization ? seenFrom(organization(item), context) : context;
      const compiled = await compileFilter(of, filterOf(item), there);
      return (await of.list(there, compiled, { page, size: PAGE })).items;
    },
    key: (row) => of.id(row),
    opens: (row) => ({ entity, id: of.id(row) }),
    ...(of.screen && !organization
      ? { elsewhere: (item) => ({ id: `${entity}.list`, args: { filter: printFilter(filterOf(item)) } }) }
      : {}),
  };
  return [tab];
}

/** The same, for calls that name another organization. */
function seenFrom(organization: string, context: Context): Context {
  return { ...context, organization: { ...context.organization, id: organization } };
}

/** A panel has a third of a table's room; a mark of health stands beside its word there. */
function narrow(column: Column<unknown>): Column<unknown> {
  if (column.kind === 'health') return { ...column, width: 72 };
  return column.grow ? { ...column, width: Math.min(column.width, 110) } : column;
}

/** The tabs of an item's panel that this person has. */
export function tabsFor(
  entity: AnyEntity,
  abilities: ReadonlySet<Ability>,
): readonly { readonly id: string; readonly title: Message }[] {
  const detailTabs = detailTabsOf(entity, abilities).map(({ id }) => ({
    id,
    title: entityTexts.detailTab(entity, id),
  }));
  return [{ id: OVERVIEW, title: message('console:panel.overview') }, ...detailTabs];
}

/** The tab next to `current`, around the ends. */
export function neighbourTab(
  entity: AnyEntity,
  abilities: ReadonlySet<Ability>,
  current: string | undefined,
  by: 1 | -1,
): string {
  const ids = tabsFor(entity, abilities).map(({ id }) => id);
  const at = Math.max(0, ids.indexOf(current ?? OVERVIEW));
  return ids[(at + by + ids.length) % ids.length] ?? OVERVIEW;
}
