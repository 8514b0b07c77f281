import type { ReactNode, Ref } from 'react';

import type { ParsedFilter } from '#commands/query/parse.ts';

import type { EarlyText } from './early-text.ts';

export interface FilterLineHandle {
  focus(): void;
}

export interface FilterLineProps {
  /** The filter that the table shows. */
  readonly filter: ParsedFilter;
  /** Receives the canonical text of a valid filter whose names exist. */
  readonly onText: (text: string) => void;
  /** The number of matching rows, if known. */
  readonly total: number | undefined;
  /** True if the total still belongs to the previous filter. */
  readonly isStale?: boolean;
  /** Explains the total. */
  readonly totalNote?: ReactNode;
  readonly ref?: Ref<FilterLineHandle>;
}

/** The props of the line after it has loaded, and of the field that stands in for it. */
export interface LoadedLineProps extends FilterLineProps {
  readonly earlyText: EarlyText;
  /** Called when the user moves to the line before it has loaded. */
  readonly onEnter: () => void;
}
