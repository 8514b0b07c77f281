import { TIER, tierOf } from '#commands/text/score.ts';
import type { Row } from '#src/search/rows.ts';

/** The kind of a search result. */
export type ResultKind = 'item' | 'view' | 'value' | 'command' | 'object' | 'filter';

/** A row with its match score. */
export interface SearchResult<R extends Row = Row> {
  readonly kind: ResultKind;
  readonly row: R;
  readonly score: number;
  /** True if the result arrived late. It is listed last, so Enter still chooses the same row. */
  readonly isLate?: boolean;
}

/** The order of exact matches. A full name most likely means the item. */
const EXACT_ORDER: readonly ResultKind[] = ['item', 'view', 'command', 'value', 'object', 'filter'];
/** The order of partial matches. Part of a name most likely means a command or a view because those never change. */
const ORDER: readonly ResultKind[] = ['command', 'value', 'view', 'object', 'item', 'filter'];

/** A shorter query can be an abbreviation, such as `stl` for *Set lifecycle*. A longer query is a word. */
const MIN_WORD_LENGTH = 4;

/**
 * Merges all results into one list: available rows first, then by tier, by kind, and by score. Scattered matches are
 * listed only if nothing matches better, and follow the filter row if the query is a word. The order of their arrival
 * does not matter.
 */
export function rank<R extends Row>(results: readonly SearchResult<R>[], query: string): readonly R[] {
  const tiers = results.filter(({ kind, isLate }) => kind !== 'filter' && !isLate).map(({ score }) => tierOf(score));
  const bestTier = Math.max(0, ...tiers);
  const visibleResults = results.filter(
    ({ kind, score }) => kind === 'filter' || tierOf(score) > TIER.scattered || bestTier <= TIER.scattered,
  );
  const filterIsFirst = bestTier <= TIER.scattered && query.trim().length >= MIN_WORD_LENGTH;
  const filterOrder = ({ kind }: SearchResult): number => Number((kind === 'filter') !== filterIsFirst);
  return visibleResults
    .toSorted((a, b) => lateOrder(a) - lateOrder(b) || filterOrder(a) - filterOrder(b) || compare(a, b))
    .map(({ row }) => row);
}

const lateOrder = ({ isLate = false }: SearchResult): number => Number(isLate);

function compare(a: SearchResult, b: SearchResult): number {
  return (
    Number(a.row.reason !== undefined) - Number(b.row.reason !== undefined) ||
    tierOf(b.score) - tierOf(a.score) ||
    kindOrder(a) - kindOrder(b) ||
    b.score - a.score
  );
}

function kindOrder({ kind, score }: SearchResult): number {
  return (tierOf(score) === TIER.exact ? EXACT_ORDER : ORDER).indexOf(kind);
}
