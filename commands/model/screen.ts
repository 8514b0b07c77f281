import type { Message } from '#commands/text/message.ts';

/**
 * Screens that share a tab strip, in registry order. A group with a `parent` is a single tab in the parent's strip,
 * which opens the first screen of the group.
 */
export interface TabGroup {
  readonly id: string;
  readonly title: Message;
  readonly parent?: TabGroup;
}

export interface Screen {
  readonly path: `/${string}`;
  /** The title of the screen, if it is not the plural of its entity. */
  readonly title?: Message;
  /** Alternative paths that redirect to `path`. */
  readonly aliases?: readonly `/${string}`[];
  /** The entry in the rail. A screen without one opens through its key, the palette, or its tab. */
  readonly rail?: Rail;
  /** The key that opens it: `g d`. */
  readonly key?: string;
  /** The tab group it belongs to. */
  readonly tabs?: TabGroup;
  /** True to place its tab after the others. */
  readonly last?: true;
  /**
   * The URLs that show a screen of their own instead of the list with a form or a tab: by `create` or `create/<kind>`,
   * or by the suffix after the item's id (`assign` for `/{id}/assign`).
   */
  readonly itemScreens?: Readonly<Record<string, ItemScreen>>;
}

/** The name of a screen for a single item. Its component is registered under it (`src/screens/ItemScreen.tsx`). */
export type ItemScreen = 'parser-bench' | 'simple-parser-bench' | 'timeline';

export interface Rail {
  /** The name of a lucide icon. */
  readonly icon: string;
  readonly group: 'fleet' | 'signals' | 'data' | 'developer' | 'organization';
  /**
   * True if the entry represents its whole tab group, under the group's title. If several screens of a group have an
   * entry, the rail shows the first screen that the user may open.
   */
  readonly forGroup?: true;
}
