import { useEffect, useEffectEvent, useState, type RefObject } from 'react';

import { lastDays, panRange, reveal, zoomRange, type Range, type Stretch } from './scale.ts';

/** The lengths of the presets, in days. */
const PRESETS = [365, 90, 30, 7] as const;
const DAY = 86_400_000;

interface Zoom {
  readonly range: Range;
  /** The preset that the range is, if any. */
  readonly days: number | undefined;
  /** The active period when the range was chosen. Another one is moved into view. */
  readonly period: Stretch | undefined;
}

/** The part of the visible range that one step of the wheel moves it by. */
const PAN_STEP = 0.1;

/** The visible range of a timeline: everything, or what the user zoomed to. Keeps the active period in view. */
export function useZoom(fullRange: Range, period: Stretch | undefined, now: number) {
  const [zoom, setZoom] = useState<Zoom>();
  const range = visibleRange(zoom, fullRange, period);
  const show = (next: Range | undefined, days?: number): void => setZoom(next && { range: next, days, period });
  return {
    range,
    /** The presets, in days, that show less than everything. */
    presets: PRESETS.filter((days) => days * DAY < fullRange.to - fullRange.from),
    /** The id of the preset: `all`, or its days. Undefined for any other range. */
    preset: zoom ? zoom.days?.toString() : 'all',
    showPreset: (id: string): void => {
      const days = PRESETS.find((value) => `${value}` === id);
      show(days === undefined ? undefined : lastDays(days, now), days);
    },
    /** Zooms around a time, by default around the active period. */
    zoomBy: (direction: 1 | -1, at = centerOf(period, range)): void => show(zoomRange(range, fullRange, direction, at)),
    pan: (direction: 1 | -1): void => {
      if (zoom) show(panRange(range, fullRange, direction * PAN_STEP));
    },
    reset: (): void => show(undefined),
  };
}

function visibleRange(zoom: Zoom | undefined, fullRange: Range, period: Stretch | undefined): Range {
  if (!zoom) return fullRange;
  return period === undefined || period.since === zoom.period?.since
    ? zoom.range
    : reveal(zoom.range, fullRange, period);
}

/** Returns the start of the active period, or else the middle of the range. */
function centerOf(period: Stretch | undefined, { from, to }: Range): number {
  if (period && period.since >= from && period.since <= to) return period.since;
  return (from + to) / 2;
}

interface WheelActions {
  readonly zoomBy: (direction: 1 | -1, at: number) => void;
  readonly pan: (direction: 1 | -1) => void;
}

/** Zooms with Ctrl and the wheel, and moves with Shift and the wheel. `axis` is the element as wide as the range. */
export function useWheel(
  grid: RefObject<HTMLElement | null>,
  axis: RefObject<HTMLElement | null>,
  range: Range,
  { zoomBy, pan }: WheelActions,
): void {
  const onWheel = useEffectEvent((event: WheelEvent): void => {
    const delta = event.deltaY || event.deltaX;
    const bounds = axis.current?.getBoundingClientRect();
    if (!bounds || delta === 0 || !(event.ctrlKey || event.metaKey || event.shiftKey)) return;
    event.preventDefault();
    if (event.shiftKey) return pan(delta > 0 ? 1 : -1);
    const share = Math.min(Math.max((event.clientX - bounds.left) / bounds.width, 0), 1);
    zoomBy(delta < 0 ? 1 : -1, range.from + share * (range.to - range.from));
  });
  useEffect(() => {
    const element = grid.current;
    // React adds passive listeners, which cannot keep the page from zooming.
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [grid]);
}
