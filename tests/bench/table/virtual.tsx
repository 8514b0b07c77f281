import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';

import { HealthMark } from '#src/ui/HealthMark.tsx';
import { TagChips } from '#src/ui/TagChips.tsx';

import { type BenchDevice, createRows } from './devices.ts';
import { createStripMover, OVERSCAN, referenceLayout, type ReferenceColumn, ROW } from './reference.ts';

interface CellsProps {
  readonly row: BenchDevice | undefined;
  readonly frozen: readonly ReferenceColumn[];
  readonly scrolling: readonly ReferenceColumn[];
}

function cellContent(row: BenchDevice, column: ReferenceColumn['column'], width: number): ReactNode {
  if ('text' in column) return column.text(row);
  if (column.id === 'health') return <HealthMark level={row.health} label={row.health} />;
  if (column.id === 'tags') return <TagChips names={row.tags} width={width} />;
  return (
    <>
      {row.received}
      <span className="text-ink-3"> / 24</span>
    </>
  );
}

function Title({ column }: Pick<ReferenceColumn, 'column'>) {
  return <span className={column.hideTitle ? 'sr-only' : ''}>{column.title}</span>;
}

/** The cells of a row. Moving or selecting the row does not render them. */
const Cells = memo(function Cells({ row, frozen, scrolling }: CellsProps) {
  const cell = ({ column, width, contentWidth }: ReferenceColumn) => (
    <span key={column.id} role="gridcell" style={{ width }} data-tone={column.tone} data-align={column.align}>
      {row === undefined ? <Title column={column} /> : cellContent(row, column, contentWidth)}
    </span>
  );
  return (
    <>
      <span role="gridcell" aria-label="Selected" className="pool-check">
        <b className="pool-box" />
      </span>
      {frozen.map(cell)}
      <div role="none" className="pool-window">
        <span role="none" className="pool-strip">
          {scrolling.map(cell)}
        </span>
      </div>
    </>
  );
});

/** A tuned table on react-virtual: recycled slots, one transform per row, and cells rendered only for entering rows. */
function VirtualTable({ total }: { readonly total: number }) {
  const rowAt = useMemo(() => createRows(total), [total]);
  const scroller = useRef<HTMLDivElement>(null);
  const marker = useRef<HTMLDivElement>(null);
  const [allSelected, setAllSelected] = useState(false);
  const [visibleWidth, setVisibleWidth] = useState(window.innerWidth);
  const layout = useMemo(() => referenceLayout(visibleWidth), [visibleWidth]);
  useLayoutEffect(() => setVisibleWidth(scroller.current?.clientWidth ?? 0), []);
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: OVERSCAN,
    scrollMargin: ROW,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    useFlushSync: false,
  });

  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    let active = 0;
    const move = (to: number) => {
      active = Math.min(total - 1, Math.max(0, to));
      const top = active * ROW;
      const { scrollTop } = element;
      const minTop = top + 2 * ROW - element.clientHeight;
      if (top < scrollTop) element.scrollTop = top;
      else if (minTop > scrollTop) element.scrollTop = minTop;
      if (marker.current) marker.current.style.transform = `translateY(${top}px)`;
    };
    const moveStrips = createStripMover(element, () => element.querySelectorAll<HTMLElement>('.pool-strip'));
    const onKeyDown = (event: KeyboardEvent) => {
      event.preventDefault();
      if (event.key === 'j' || event.key === 'ArrowDown') move(active + 1);
      if (event.key === 'PageDown') move(active + Math.ceil((element.clientHeight - ROW) / ROW) - 2);
      if (event.key === 'a') setAllSelected((before) => !before);
    };
    window.addEventListener('keydown', onKeyDown);
    element.addEventListener('scroll', moveStrips, { passive: true });
    element.focus();
    return () => {
      window.removeEventListener('keydown', onKeyDown);
      element.removeEventListener('scroll', moveStrips);
    };
  }, [total]);

  const items = virtualizer.getVirtualItems();
  const count = Math.ceil(window.innerHeight / ROW) + 1 + 2 * OVERSCAN;
  return (
    <div ref={scroller} className="pool" role="grid" tabIndex={0}>
      <div className="pool-row pool-head" role="row" style={{ width: visibleWidth }}>
        <Cells row={undefined} frozen={layout.frozen} scrolling={layout.scrolling} />
      </div>
      <div role="rowgroup" style={{ width: layout.width }}>
        <div role="none" className="pool-pane" style={{ width: visibleWidth, height: virtualizer.getTotalSize() }}>
          {items
            .toSorted((a, b) => (a.index % count) - (b.index % count))
            .map(({ index }) => (
              <div
                key={index % count}
                role="row"
                aria-rowindex={index + 2}
                className="pool-row"
                data-selected={allSelected || undefined}
                style={{ transform: `translateY(${index * ROW}px)` }}
              >
                <Cells row={rowAt(index)} frozen={layout.frozen} scrolling={layout.scrolling} />
              </div>
            ))}
          <div ref={marker} className="pool-marker" />
        </div>
      </div>
    </div>
  );
}

export function startVirtual(root: HTMLElement, total: number) {
  createRoot(root).render(<VirtualTable total={total} />);
}
