import { useEffect, useState } from 'react';

import type { Context } from '#commands/core/context';
import type { AnyEntity } from '#commands/core/entity';
import type { Translate } from '#commands/core/message';

import { report } from '../data/report.ts';
import { findItems, itemGroup, itemRow, type ItemRow } from './item-rows.ts';
import { joinBelow, type Group } from './rows.ts';
import { candidate, needle, scoreOf } from '#commands/text/score';

/** Keys follow one another faster than this while typing. */
const PAUSE_MS = 90;
/** Of each entity. */
const LIMIT = 20;

interface Found {
  readonly query: string;
  readonly groups: readonly Group<ItemRow>[];
  /** Names of the entities that have answered. */
  readonly arrived: readonly string[];
}

interface Items {
  readonly groups: readonly Group<ItemRow>[];
  readonly loading: boolean;
}

const NOTHING: Found = { query: '', groups: [], arrived: [] };

/**
 * Items of several entities for what is typed, each entity's as it answers. What is on the screen and still fits stays in its place; an
 * undefined query asks nothing.
 */
export function useItems(
  entities: readonly AnyEntity[],
  query: string | undefined,
  context: Context,
  say: Translate,
): Items {
  const [found, setFound] = useState<Found>(NOTHING);
  useEffect(() => {
    if (query === undefined || entities.length === 0) return undefined;
    const abort = new AbortController();
    const asking: Context = { ...context, signal: abort.signal };
    const arrive = (of: AnyEntity, items: readonly unknown[]): void => {
      if (abort.signal.aborted) return;
      const rows = items.map((item) => itemRow(of, item, query, say));
      setFound((before) => join(narrow(before, query, say), itemGroup(of, rows, say), query));
    };
    const timer = setTimeout(() => {
      for (const of of entities) {
        findItems(of, query, LIMIT, asking).then(
          (items) => arrive(of, items),
          (error: unknown) => {
            // One entity that cannot be asked leaves the others to be found.
            report(error);
            arrive(of, []);
          },
        );
      }
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [entities, query, context, say]);
  if (query === undefined) return { groups: [], loading: false };
  const names = new Set(entities.map((of) => of.name));
  const groups = narrow(found, query, say).groups.filter((group) => names.has(group.id));
  const arrived = found.query === query ? found.arrived : [];
  return { groups, loading: entities.some((of) => !arrived.includes(of.name)) };
}

/** What was found for another query, as far as it fits this one. */
function narrow(found: Found, query: string, say: Translate): Found {
  if (found.query === query) return found;
  const typed = needle(query);
  const groups = found.groups.map((group) => ({
    ...group,
    rows: group.rows
      .filter((row) => scoreOf(candidate(row.label), typed) !== undefined)
      .map((row) => itemRow(row.entity, row.item, query, say)),
  }));
  return { query, groups, arrived: [] };
}

function join({ groups, arrived }: Found, late: Group<ItemRow>, query: string): Found {
  const known = groups.find((group) => group.id === late.id);
  const joined = groups.map((group) => (group === known ? { ...late, rows: joinBelow(known.rows, late.rows) } : group));
  return { query, groups: known ? joined : [...groups, late], arrived: [...arrived, late.id] };
}
