import type { Message } from '#commands/text/message.ts';

/**
 * Screens that belong together: each of a group shows a strip with all of them, in the order of the registry. A group
 * `in` another one is a single tab there, which leads to the first of its own.
 */
export interface TabGroup {
  readonly id: string;
  readonly title: Message;
  readonly in?: TabGroup;
}

export interface Screen {
  readonly path: `/${string}`;
  /** What the screen is called, where that is not the plural of its entity. */
  readonly title?: Message;
  /** Other addresses of it, which lead to `path`. */
  readonly aliases?: readonly `/${string}`[];
  /** Its line in the rail; a screen without one is reached by its key, the palette, and as a tab of its group. */
  readonly rail?: Rail;
  /** `g d`: goes there. */
  readonly key?: string;
  /** The group of screens that it is a tab of. */
  readonly tabs?: TabGroup;
  /** Its tab stands behind the others. */
  readonly last?: true;
}

export interface Rail {
  /** A name of the icon set (lucide). */
  readonly icon: string;
  readonly group: 'fleet' | 'signals' | 'data' | 'developer' | 'organization';
  /**
   * It stands for its whole group of tabs, and is called so there. Of several such screens, for the first that the
   * person may open.
   */
  readonly whole?: true;
}
