/**
 * Screens that belong together: each of a group shows a strip with all of them (spec 2: the tabs of /settings, /user
 * …), in the order of the registry. A group `in` another one is a single tab there, which leads to the first of its
 * own. Titles are `common:tabs.<group>`.
 */
export const tabGroups = {
  settings: {},
  accounts: { in: 'settings' },
  user: {},
  'developer-tools': {},
} as const satisfies Readonly<Record<string, { readonly in?: string }>>;

export type TabGroup = keyof typeof tabGroups;

/** The group that a group is a tab of. */
export function outerGroup(group: TabGroup): TabGroup | undefined {
  const of: { readonly in?: TabGroup } = tabGroups[group];
  return of.in;
}
