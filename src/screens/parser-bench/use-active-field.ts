import { useCallback, useMemo, useState } from 'react';

import type { ResultNode } from '#commands/nouns/data/parser/bench/result.ts';
import type { FieldRange } from '#commands/nouns/data/parser/bench/trace.ts';

import type { DefinitionField, DefinitionMap } from './definition-map.ts';
import { isWithin, leafRanges, rootOf } from './segments.ts';

const SERIES = 6;

interface ActiveField {
  /** The path of the active field. Undefined if the definition no longer has it. */
  readonly active: string | undefined;
  readonly setActive: (path: string | undefined) => void;
  readonly activeField: DefinitionField | undefined;
  readonly activeNode: ResultNode | undefined;
  /** The bytes of the active field, or of the fields that it is computed from. */
  readonly activeRanges: readonly FieldRange[];
  /** Returns the number of a path's color. */
  readonly colorOf: (path: string) => number;
  /** Returns the paths of the result and of the bytes. */
  readonly paths: readonly string[];
}

/** The field that is marked in the definition, the bytes, and the result, and the colors of all fields. */
export function useActiveField(
  definition: DefinitionMap,
  nodes: readonly ResultNode[],
  ranges: readonly FieldRange[] | undefined,
): ActiveField {
  const [active, setActive] = useState<string>();
  const activeField = useMemo(
    () => (active === undefined ? undefined : definition.field(active)),
    [definition, active],
  );
  const sources = activeField?.sources;
  const activeRanges = useMemo(() => {
    if (active === undefined) return [];
    const leaves = leafRanges(ranges ?? []);
    const ownLeaves = leaves.filter(({ path }) => isWithin(path, active));
    if (ownLeaves.length > 0) return ownLeaves;
    const parentPath = active.includes('.') ? active.replace(/[^.]*$/, '') : '';
    return leaves.filter(({ path }) => (sources ?? []).some((name) => isWithin(path, `${parentPath}${name}`)));
  }, [active, ranges, sources]);
  const paths = useMemo(
    () => [...new Set([...(ranges ?? []).map(({ path }) => path), ...nodes.map(({ path }) => path)])],
    [ranges, nodes],
  );
  const colors = useMemo(() => {
    const roots = [...new Set(paths.map(rootOf))];
    return new Map(roots.map((root, index) => [root, (index % SERIES) + 1]));
  }, [paths]);
  const colorOf = useCallback(
    (path: string): number => {
      // A computed field has the color of the field that it is computed from.
      const [source] = definition.field(path)?.sources ?? [];
      return colors.get(source ?? rootOf(path)) ?? colors.get(rootOf(path)) ?? SERIES;
    },
    [colors, definition],
  );
  const activeNode = nodes.find(({ path }) => path === active);
  const exists = active !== undefined && (activeField !== undefined || paths.some((path) => isWithin(path, active)));
  return { active: exists ? active : undefined, setActive, activeField, activeNode, activeRanges, colorOf, paths };
}
