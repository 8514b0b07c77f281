import { useLayoutEffect, useRef } from 'react';
import uPlot from 'uplot';

import type { Series } from '#commands/kit/series.ts';
import { fractionAbove, mergeTimes, type Span, type ValueScale } from '#commands/kit/value-series.ts';

import { loneIndexes } from './chart-lanes.ts';
import type { SeriesStyle } from './series-style.ts';
import { labelTicks, timeSteps, timeTicks, type AxisFormat } from './time-axis.ts';
import { tickText, valueTicks } from './value-ticks.ts';

import 'uplot/dist/uPlot.min.css';

/** The width of the value axis, to the left of the lines. */
export const GUTTER = 56;
/** The height of the time axis, below the last lane. */
export const AXIS = 26;

const NUMBERS = "10.5px 'JetBrains Mono Variable', ui-monospace, monospace";
const LABELS = "11px 'Inter Variable', ui-sans-serif, system-ui, sans-serif";
/** The minimum distance between two time labels. */
const LABEL_SPACE = 84;
/** The minimum distance of two numbers of the value axis. */
const MIN_TICK_SPACE = 22;
/** Half the height of a number. */
const EDGE = 7;

/** A series with its style and its silences. */
export interface Line extends SeriesStyle {
  readonly series: Series;
  readonly gaps: readonly Span[];
}

/** A label of the time axis. */
export interface TimeTick {
  readonly time: number;
  readonly text: string;
}

interface LaneProps {
  readonly lines: readonly Line[];
  readonly span: Span;
  readonly scale: ValueScale;
  readonly width: number;
  readonly height: number;
  /** The space to the right of the lines, in px. */
  readonly rightPadding: number;
  /** True for the last lane, which has the time axis. */
  readonly hasTimes: boolean;
  readonly axis: AxisFormat;
  /** Receives the labels of the time axis, which are not drawn on the canvas. */
  readonly onTicks: (ticks: readonly TimeTick[]) => void;
  /** Describes a silence by its length. */
  readonly gapText: (gap: Span) => string;
  /** Changes with the theme, whose colors the canvas does not follow by itself. */
  readonly theme: string;
}

/** One lane of a chart: lines with the same unit, over the time axis of all lanes. Drawn on a canvas by uPlot. */
export function Lane(props: LaneProps) {
  const { width, height } = props;
  const root = useRef<HTMLDivElement>(null);
  const { lines, span, rightPadding, hasTimes, axis, onTicks, gapText, theme } = props;
  // Numbers, because the scale is another array after each render, and drawing reports ticks, which renders again.
  const [low, high] = props.scale;
  useLayoutEffect(() => {
    if (!root.current || width <= 0 || height <= 0) return undefined;
    const plot = draw(root.current, {
      lines,
      span,
      scale: [low, high],
      width,
      height,
      rightPadding,
      hasTimes,
      axis,
      onTicks,
      gapText,
    });
    return () => plot.destroy();
  }, [lines, span, low, high, width, height, rightPadding, hasTimes, axis, onTicks, gapText, theme]);
  return <div ref={root} style={{ width, height }} />;
}

function draw(
  root: HTMLElement,
  { lines, span, scale, width, height, rightPadding, hasTimes, axis, onTicks, gapText }: Omit<LaneProps, 'theme'>,
): uPlot {
  // A canvas does not understand `var()` and `light-dark()`, so a probe resolves the color.
  const probe = root.appendChild(document.createElement('span'));
  const resolve = (color: string): string => {
    probe.style.color = color;
    return getComputedStyle(probe).color;
  };
  const [grid, strong, ink] = ['var(--line)', 'var(--line-strong)', 'var(--ink-3)'].map(resolve) as [
    string,
    string,
    string,
  ];
  const colors = lines.map(({ color }) => resolve(color));
  probe.remove();
  const plotHeight = height - (hasTimes ? AXIS : 0);
  const [low, high] = scale;
  /** True for a tick whose number would be cut off by the edge of the lane. */
  const isNearEdge = (tick: number): boolean => {
    const y = fractionAbove(tick, scale) * plotHeight;
    return y < EDGE || y > plotHeight - EDGE;
  };
  const steps = timeSteps(span);
  return new uPlot(
    {
      width,
      height,
      ms: 1,
      padding: [0, rightPadding, 0, 0],
      cursor: { show: false },
      legend: { show: false },
      scales: {
        x: { time: true, range: () => [span.from, span.to] },
        y: { range: () => [low / 2, high / 2] },
      },
      axes: [
        {
          size: hasTimes ? AXIS : 0,
          stroke: ink,
          font: LABELS,
          gap: 4,
          space: LABEL_SPACE,
          ...(steps ? { incrs: [...steps] } : {}),
          // Those of the library are not at round times after the clock changes.
          splits: (_plot, _axis, from, to, step) => [...timeTicks({ from, to }, step)],
          grid: { stroke: withAlpha(grid, 0.75), width: 1 },
          ticks: { show: hasTimes, stroke: strong, width: 1, size: 4 },
          border: { show: hasTimes, stroke: strong, width: 1 },
          values: (_plot, ticks, _axis, _space, step) => {
            const texts = labelTicks(ticks, step, axis);
            if (hasTimes) onTicks(ticks.map((time, index) => ({ time, text: texts[index] ?? '' })));
            return [];
          },
        },
        {
          size: GUTTER,
          stroke: ink,
          font: NUMBERS,
          gap: 8,
          splits: valueTicks(low, high, Math.floor(plotHeight / MIN_TICK_SPACE)).map((tick) => tick / 2),
          grid: { stroke: withAlpha(grid, 0.75), width: 1 },
          ticks: { show: false },
          values: (_plot, ticks) =>
            ticks.map((half) => (isNearEdge(half * 2) ? '' : tickText(Number((half * 2).toPrecision(10))))),
        },
      ],
      series: [
        {},
        ...lines.map(({ dash }, index) => ({
          stroke: colors[index] ?? ink,
          dash: dash.map((length) => length * devicePixelRatio),
          width: 1.25,
          spanGaps: false,
          points: {
            show: true,
            size: 4,
            fill: colors[index] ?? ink,
            // A value between two gaps would be invisible without a point.
            filter: ({ data }: uPlot, position: number) => [...loneIndexes(data[position] ?? [])],
          },
        })),
      ],
      hooks: {
        drawAxes: [
          (plot) => {
            if (lines.length === 1) drawGaps(plot, lines[0]?.gaps ?? [], strong, ink, gapText);
          },
        ],
      },
    },
    alignedData(lines),
    root,
  );
}

function withAlpha(color: string, alpha: number): string {
  return `color-mix(in srgb, ${color} ${alpha * 100}%, transparent)`;
}

/**
 * Returns half the values of all lines at the times of any of them, because the library subtracts them, and the largest
 * numbers are further apart than the largest number. Gaps are null, while undefined only means that another
 * line has a value.
 */
function alignedData(lines: readonly Line[]): uPlot.AlignedData {
  const gapTimes = lines.map(({ gaps }) => new Set(gaps.map(({ from, to }) => Math.round((from + to) / 2))));
  const times = mergeTimes([
    ...lines.map(({ series }) => series.points.map(({ time }) => time)),
    ...gapTimes.map((middles) => [...middles]),
  ]);
  return [
    [...times],
    ...lines.map(({ series }, index) => {
      const valueAt = new Map(series.points.map(({ time, value }) => [time, value / 2]));
      return times.map((time) => (gapTimes[index]?.has(time) ? null : valueAt.get(time)));
    }),
  ];
}

/** The minimum width of a silence that shows its length. */
const LABELED_GAP = 56;

/** Hatches silences, so they look different from values that don't change. */
function drawGaps(
  { ctx, bbox, valToPos }: uPlot,
  gaps: readonly Span[],
  color: string,
  ink: string,
  gapText: (gap: Span) => string,
): void {
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const gap of gaps) {
    const left = Math.max(bbox.left, valToPos(gap.from, 'x', true));
    const right = Math.min(bbox.left + bbox.width, valToPos(gap.to, 'x', true));
    if (right - left < 2) continue;
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, bbox.top, right - left, bbox.height);
    ctx.clip();
    ctx.strokeStyle = color;
    ctx.lineWidth = ratio;
    ctx.globalAlpha = 0.6;
    ctx.beginPath();
    for (let x = left - bbox.height; x < right; x += 6 * ratio) {
      ctx.moveTo(x, bbox.top + bbox.height);
      ctx.lineTo(x + bbox.height, bbox.top);
    }
    ctx.stroke();
    ctx.restore();
    if (right - left < LABELED_GAP * ratio) continue;
    ctx.fillStyle = ink;
    ctx.font = LABELS.replace('11px', `${11 * ratio}px`);
    ctx.textAlign = 'center';
    ctx.fillText(gapText(gap), (left + right) / 2, bbox.top + bbox.height - 6 * ratio);
  }
  ctx.restore();
}
