import { useEffect, useRef, useState, type PointerEvent } from 'react';

import { fractionAbove, indexAt, type Span } from '#commands/kit/value-series.ts';
import { useText } from '#src/i18n/i18n.ts';

import { leaveLabelRoom, pointAt, type ChartLane } from './chart-lanes.ts';
import { endLabels, LABEL_HEIGHT } from './end-labels.ts';
import { laneHeights } from './lane-heights.ts';
import { AXIS, GUTTER, Lane, type TimeTick } from './Lane.tsx';
import { seriesBackground } from './series-style.ts';
import type { AxisFormat } from './time-axis.ts';
import { TimeAxis } from './TimeAxis.tsx';

interface LanesProps {
  readonly label: string;
  readonly lanes: readonly ChartLane[];
  readonly span: Span;
  readonly cursor: number | undefined;
  readonly mark: number | undefined;
  /** The times of all values, which the crosshair snaps to. */
  readonly times: readonly number[];
  readonly axis: AxisFormat;
  readonly theme: string;
  readonly gapText: (gap: Span) => string;
  readonly onCursor: (time: number | undefined) => void;
  readonly onZoom: (span: Span) => void;
}

/** The minimum distance, in px, of a drag that zooms. */
const MIN_DRAG = 6;
const SCROLL_KEYS = /^(Arrow(Up|Down)|Page(Up|Down)|Home|End)$/;
/** Space to the right of the lines, so the newest value's marker is not cut off. */
const RIGHT_PADDING = 20;
/** The same space when a lane labels its lines at their ends. */
const LABELED_RIGHT_PADDING = 132;
/** How many lines a lane can have before they get labels of their own. */
const MAX_UNLABELED_LINES = 3;

const hasEndLabels = ({ lines }: ChartLane): boolean => lines.length > MAX_UNLABELED_LINES;

/** The lanes of a chart, with one crosshair through all of them. */
export function Lanes({
  label,
  lanes: allLanes,
  span,
  cursor,
  mark,
  times,
  axis,
  theme,
  gapText,
  onCursor,
  onZoom,
}: LanesProps) {
  const chartText = useText('chart');
  const root = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number }>();
  const [ticks, setTicks] = useState<readonly TimeTick[]>([]);
  useEffect(() => {
    const element = root.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const { width, height } = size;
  const heights = laneHeights(
    height - AXIS,
    allLanes.map((lane) => (hasEndLabels(lane) ? (lane.lines.length + 1) * LABEL_HEIGHT : 0)),
  );
  const lanes = allLanes.map((lane, index) => ({ ...lane, scale: leaveLabelRoom(lane.scale, heights[index] ?? 0) }));
  const totalHeight = heights.reduce((sum, laneHeight) => sum + laneHeight, 0);
  const isScrollable = height > 0 && totalHeight + AXIS > height;
  const rightPadding = lanes.some(hasEndLabels) ? LABELED_RIGHT_PADDING : RIGHT_PADDING;
  const plotWidth = Math.max(1, width - GUTTER - rightPadding);
  const xOf = (time: number): number => GUTTER + ((time - span.from) / (span.to - span.from)) * plotWidth;
  const timeAt = (event: PointerEvent): number => {
    const x = event.clientX - (root.current?.getBoundingClientRect().left ?? 0);
    const fraction = Math.max(0, Math.min(1, (x - GUTTER) / plotWidth));
    return span.from + fraction * (span.to - span.from);
  };
  const onMove = (event: PointerEvent): void => {
    const time = timeAt(event);
    if (drag) return setDrag({ ...drag, to: time });
    const before = times[Math.max(0, indexAt(times, time))];
    const after = times[indexAt(times, time) + 1] ?? before;
    if (before === undefined || after === undefined) return;
    onCursor(time - before <= after - time ? before : after);
  };
  const endDrag = (): void => {
    if (drag && Math.abs(xOf(drag.to) - xOf(drag.from)) >= MIN_DRAG)
      onZoom({ from: Math.round(Math.min(drag.from, drag.to)), to: Math.round(Math.max(drag.from, drag.to)) });
    setDrag(undefined);
  };
  return (
    <div
      ref={root}
      role="region"
      aria-label={chartText('linesOf', { name: label })}
      tabIndex={isScrollable ? 0 : undefined}
      className="h-full touch-none overflow-x-hidden overflow-y-auto select-none focus-visible:-outline-offset-2"
      onKeyDown={(event) => {
        // These keys would move the active row of the screen below.
        if (isScrollable && SCROLL_KEYS.test(event.key) && !event.shiftKey) event.stopPropagation();
      }}
      onPointerMove={onMove}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ from: timeAt(event), to: timeAt(event) });
      }}
      onPointerUp={endDrag}
      onPointerCancel={() => setDrag(undefined)}
    >
      <div role="img" aria-label={label} className="relative min-h-full">
        {lanes.map((lane, index) => {
          const hasTimes = index === lanes.length - 1;
          const laneHeight = heights[index] ?? 0;
          return (
            <div key={lane.unit} className="relative border-b border-line last:border-b-0">
              <Lane
                lines={lane.lines}
                span={span}
                scale={lane.scale}
                width={width}
                height={laneHeight + (hasTimes ? AXIS : 0)}
                rightPadding={rightPadding}
                hasTimes={hasTimes}
                axis={axis}
                onTicks={setTicks}
                gapText={gapText}
                theme={theme}
              />
              <p
                className="pointer-events-none absolute top-1.5 flex max-w-[70%] gap-1.5 text-label font-medium"
                style={{ left: GUTTER + 12 }}
              >
                <span className="truncate rounded-chip bg-surface-0/80 px-1">
                  {!hasEndLabels(lane) && `${lane.lines.map(({ name }) => name).join(' · ')} `}
                  <span className="font-normal text-ink-3">{lane.unit}</span>
                </span>
              </p>
              {hasEndLabels(lane) && <EndLabels lane={lane} height={laneHeight} xOf={xOf} />}
              {cursor !== undefined &&
                lane.lines.map((line) => {
                  const point = pointAt(line, cursor);
                  return (
                    point && (
                      <span
                        key={line.id}
                        aria-hidden
                        className="pointer-events-none absolute z-10 size-[9px] -translate-1/2 rounded-full border-[1.5px] border-surface-0"
                        style={{
                          left: xOf(cursor),
                          top: fractionAbove(point.value, lane.scale) * laneHeight,
                          background: line.color,
                        }}
                      />
                    )
                  );
                })}
            </div>
          );
        })}
        {mark !== undefined && mark >= span.from && mark <= span.to && (
          <div
            aria-hidden
            className="pointer-events-none absolute top-0 border-l border-dashed border-accent"
            style={{ left: xOf(mark), height: totalHeight }}
          >
            <span className="absolute top-1 right-0 rounded-chip bg-accent px-1.5 text-[10.5px] whitespace-nowrap text-on-accent">
              {chartText('marked')}
            </span>
          </div>
        )}
        {cursor !== undefined && (
          <div
            aria-hidden
            className="pointer-events-none absolute top-0 w-px bg-ink-2"
            style={{ left: xOf(cursor), height: totalHeight + 4 }}
          />
        )}
        {drag && (
          <div
            aria-hidden
            className="pointer-events-none absolute top-0 bg-accent/15"
            style={{
              left: Math.min(xOf(drag.from), xOf(drag.to)),
              width: Math.abs(xOf(drag.to) - xOf(drag.from)),
              height: totalHeight,
            }}
          />
        )}
        <TimeAxis ticks={ticks} cursor={cursor} axis={axis} xOf={xOf} width={width} />
      </div>
    </div>
  );
}

interface EndLabelsProps {
  readonly lane: ChartLane;
  readonly height: number;
  readonly xOf: (time: number) => number;
}

/** The names of the lines, at their ends. */
function EndLabels({ lane, height, xOf }: EndLabelsProps) {
  return endLabels(lane, height).map(({ line, time, top }) => (
    <p
      key={line.id}
      aria-hidden
      className="pointer-events-none absolute flex items-center gap-1.5 text-label text-ink-2"
      style={{
        left: xOf(time) + 6,
        top: top - LABEL_HEIGHT / 2,
        height: LABEL_HEIGHT,
        maxWidth: LABELED_RIGHT_PADDING - 14,
      }}
    >
      <span className="h-0.5 w-2 shrink-0 rounded-full" style={{ background: seriesBackground(line) }} />
      <span className="truncate rounded-chip bg-surface-0/80">{line.name}</span>
    </p>
  ));
}
