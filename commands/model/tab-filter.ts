import type { Message } from '#commands/text/message.ts';

import type { Args } from './invocation.ts';
import type { PlainParam } from './plain-param.ts';

/** A filter of a detail tab, shown as a field above its rows. */
export interface TabFilter {
  readonly label: Message;
  readonly param: PlainParam;
  /** True if it only sorts the rows, so it never hides any. */
  readonly sorts?: true;
}

/** The rows of a detail tab to load: one page of those that match the filters. */
export interface TabPage {
  /** Zero-based. */
  readonly page: number;
  /** The values by filter name. Filters that are not set are absent. */
  readonly filterValues: Args;
}

/** The first page, unfiltered. */
export const FIRST_PAGE: TabPage = { page: 0, filterValues: {} };
