import { useEffect, useRef, type CSSProperties, type KeyboardEvent, type Ref } from 'react';

import type { ResultNode } from '#commands/nouns/data/parser/bench/result.ts';
import { useText } from '#src/i18n/i18n.ts';
import { cx } from '#src/ui/cx.ts';
import { tip } from '#src/ui/tip.ts';

import { isKeyFor } from './use-bench-keys.ts';

/** Rows to draw: a result can have thousands of values. */
const MAX_NODES = 500;

interface ResultPaneProps {
  readonly ref: Ref<HTMLDivElement>;
  readonly nodes: readonly ResultNode[];
  readonly error: string | undefined;
  /** True if the nodes belong to an earlier text or message. */
  readonly isStale: boolean;
  readonly active: string | undefined;
  readonly colorOf: (path: string) => number;
  readonly onActive: (path: string) => void;
}

/** The result as a tree, in the user's units. Values that the fields declare in other units show those too. */
export function ResultPane({ ref, nodes, error, isStale, active, colorOf, onActive }: ResultPaneProps) {
  const t = useText('parser');
  const shownNodes = nodes.slice(0, MAX_NODES);
  const activeIndex = shownNodes.findIndex(({ path }) => path === active);
  const hasDeclared = nodes.some(({ declared }) => declared !== undefined);
  const columns = ['name', 'value', 'unit', ...(hasDeclared ? ['declared'] : []), 'field'];
  const activeRow = useRef<HTMLDivElement>(null);
  useEffect(() => {
    activeRow.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const last = shownNodes.length - 1;
    const next = isKeyFor('view.next-row', event)
      ? Math.min(last, activeIndex + 1)
      : isKeyFor('view.previous-row', event)
        ? Math.max(0, activeIndex - 1)
        : { Home: 0, End: last }[event.key];
    const node = next === undefined ? undefined : shownNodes[next];
    if (next === undefined) return;
    event.preventDefault();
    if (node) onActive(node.path);
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {error !== undefined && (
        <p role="status" className="border-b border-line px-3 py-2 text-error-text">
          {error}
        </p>
      )}
      <div className="focus-frame min-h-0 flex-1">
        <div
          ref={ref}
          role="treegrid"
          tabIndex={0}
          aria-label={t('bench.column.verdict')}
          aria-activedescendant={activeIndex < 0 ? undefined : `bench-node-${activeIndex}`}
          onKeyDown={onKeyDown}
          className={cx('h-full overflow-y-auto', isStale && '**:text-ink-3!')}
        >
          <Row isHead cells={columns.map((id) => t(`bench.column.${id}`))} />
          {shownNodes.map((node, index) => (
            <Row
              key={node.path}
              {...(index === activeIndex ? { ref: activeRow } : {})}
              id={`bench-node-${index}`}
              depth={node.depth}
              color={colorOf(node.path)}
              isActive={index === activeIndex}
              onPick={() => onActive(node.path)}
              cells={[
                node.name,
                node.text ?? '',
                node.unit,
                ...(hasDeclared ? [node.declared ?? ''] : []),
                node.field
                  ? node.field.displayName || node.field.field
                  : node.text === undefined
                    ? ''
                    : t('bench.noField'),
              ]}
              hasField={node.field !== undefined}
            />
          ))}
        </div>
      </div>
      {nodes.length > MAX_NODES && (
        <p className="border-t border-line px-3 py-1 text-ink-3">
          {t('bench.moreValues', { count: nodes.length - MAX_NODES })}
        </p>
      )}
    </div>
  );
}

/** The number of columns, not counting that of the declared values. */
const COLUMNS = 4;

interface RowProps {
  readonly ref?: Ref<HTMLDivElement>;
  readonly id?: string;
  readonly isHead?: boolean;
  readonly depth?: number;
  readonly color?: number;
  readonly isActive?: boolean;
  readonly hasField?: boolean;
  readonly cells: readonly string[];
  readonly onPick?: () => void;
}

function Row({ ref, id, isHead = false, depth = 0, color, isActive = false, hasField, cells, onPick }: RowProps) {
  const role = isHead ? 'columnheader' : 'gridcell';
  const [name = '', value = '', unit = ''] = cells;
  const declared = cells.length > COLUMNS ? cells[COLUMNS - 1] : undefined;
  const field = cells.at(-1);
  return (
    <div
      ref={ref}
      id={id}
      role="row"
      tabIndex={-1}
      {...(isHead ? {} : { 'aria-level': depth + 1, 'aria-selected': isActive })}
      onClick={onPick}
      className={cx(
        'grid h-row items-center gap-x-2 border-b border-line px-2',
        declared === undefined
          ? 'grid-cols-[12px_minmax(72px,1.3fr)_minmax(56px,1fr)_36px_minmax(56px,1fr)]'
          : 'grid-cols-[12px_minmax(60px,1.2fr)_minmax(52px,1fr)_36px_minmax(64px,1fr)_minmax(48px,1fr)]',
        isHead && 'sticky top-0 bg-surface-1 text-label text-ink-3',
        isActive && 'bg-selected shadow-[inset_2px_0_var(--accent)]',
      )}
      style={color === undefined ? undefined : ({ '--field': `var(--series-${color})` } as CSSProperties)}
    >
      <span role="presentation" aria-hidden className={cx('h-3.5 w-1', color !== undefined && 'bg-(--field)')} />
      <span
        role={role}
        className={cx('truncate', !isHead && 'type-mono text-ink-1')}
        style={{ paddingLeft: depth * 12 }}
      >
        {name}
      </span>
      <span role={role} {...tip(value)} className={cx('truncate text-right', !isHead && 'type-mono text-ink-1')}>
        {value}
      </span>
      <span role={role} className={cx('truncate', !isHead && 'text-ink-3')}>
        {unit}
      </span>
      {declared !== undefined && (
        <span role={role} {...tip(declared)} className={cx('truncate', !isHead && 'text-ink-3')}>
          {declared}
        </span>
      )}
      <span role={role} className={cx('truncate', !isHead && (hasField ? 'text-ink-2' : 'text-ink-3'))}>
        {field}
      </span>
    </div>
  );
}
