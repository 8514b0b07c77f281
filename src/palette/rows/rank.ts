import { TIER, tierOf } from '#commands/text/score.ts';

import type { Row } from '#src/search/rows.ts';

/** What a row of the search is. */
export type FoundKind = 'item' | 'view' | 'value' | 'command' | 'object' | 'filter';

/** A row with how well it matches what was typed, on the scale of the scores. */
export interface Found<R extends Row = Row> {
  readonly kind: FoundKind;
  readonly row: R;
  readonly score: number;
  /** Came after the answer was given: it stands below, so that nothing moves that may be under Enter. */
  readonly late?: boolean;
}

/** The name of a thing, typed in full, means the thing. */
const EXACT_ORDER: readonly FoundKind[] = ['item', 'view', 'command', 'value', 'object', 'filter'];
/** Part of a name means first what is the same every day. */
const ORDER: readonly FoundKind[] = ['command', 'value', 'view', 'object', 'item', 'filter'];

/**
 * One list of everything that was found: what can be done before what cannot, then by tier, then by what it is, then by
 * score. Letters that are merely scattered over a text count only where nothing matches better. The order depends on
 * what was found, never on when.
 */
export function rank<R extends Row>(found: readonly Found<R>[]): readonly R[] {
  const rows = found.filter(({ kind }) => kind !== 'filter').map(({ score }) => tierOf(score));
  const best = Math.max(0, ...rows);
  const shown = found.filter(
    ({ kind, score }) => kind === 'filter' || tierOf(score) > TIER.scattered || best <= TIER.scattered,
  );
  return shown.toSorted(compare).map(({ row }) => row);
}

function compare(a: Found, b: Found): number {
  return (
    Number(a.late ?? false) - Number(b.late ?? false) ||
    Number(a.kind === 'filter') - Number(b.kind === 'filter') ||
    Number(a.row.reason !== undefined) - Number(b.row.reason !== undefined) ||
    tierOf(b.score) - tierOf(a.score) ||
    placeOf(a) - placeOf(b) ||
    b.score - a.score
  );
}

function placeOf({ kind, score }: Found): number {
  return (tierOf(score) === TIER.exact ? EXACT_ORDER : ORDER).indexOf(kind);
}
