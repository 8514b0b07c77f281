import { useNavigate } from '@tanstack/react-router';
import { useAtomValue, useSetAtom } from 'jotai';
import { Maximize2, X, ZoomIn, ZoomOut } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';

import { fieldAt, indexOfField } from '#commands/kit/value-chart.ts';
import type { FieldValue } from '#commands/kit/value-loading.ts';
import { mergeTimes, stepTime, zoomSpan, type Span } from '#commands/kit/value-series.ts';
import type { ChartHost } from '#commands/model/screen-hosts.ts';
import type { ValueOwner } from '#commands/model/values.ts';
import { DEFAULT_RANGE, PRESETS } from '#commands/nouns/console/chart/presets.ts';
import { momentFormat } from '#commands/session/preferences.ts';
import { formatAge } from '#commands/text/age.ts';
import { tsvText } from '#commands/text/csv.ts';
import type { Search } from '#src/address/address.ts';
import { useLanguage, useMoment, useText } from '#src/i18n/i18n.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';
import { contextNow, provide } from '#src/run/context.ts';
import { KeyButton } from '#src/run/KeyButton.tsx';
import { LoadError } from '#src/run/LoadError.tsx';
import { chartHostAtom } from '#src/state/focus.ts';
import { userSessionAtom } from '#src/state/user-session.ts';
import { SkeletonRows } from '#src/ui/Skeleton.tsx';
import { StateMessage } from '#src/ui/StateMessage.tsx';
import { ToggleTabs } from '#src/ui/ToggleTabs.tsx';

import { createLanes, createLines } from './chart-lanes.ts';
import { exportRange, findPreset, localSpan, parseRange, parseZoom, printRange, printZoom } from './chart-range.ts';
import { downloadValues } from './download.ts';
import { ExportButton } from './ExportButton.tsx';
import { Lanes } from './Lanes.tsx';
import { Legend, Trends } from './Legend.tsx';
import { Measured } from './Measured.tsx';
import { PeriodField } from './PeriodField.tsx';
import { tableRows } from './point-rows.ts';
import { PointTable } from './PointTable.tsx';
import { spanText } from './time-axis.ts';
import { useTheme } from './use-theme.ts';
import { useFieldValues, useLiveValues, useSeries } from './use-values.ts';

interface ValuesChartProps {
  readonly organization: string;
  readonly owner: ValueOwner;
  readonly fields: readonly string[];
  readonly range: string | undefined;
  readonly zoom: string | undefined;
}

/** The steps of width, in px, at which a chart loads more values. Otherwise, every change in width would reload it. */
const WIDTH_STEP = 200;
/** The number of values per field and px. Four, the number of values in a bucket, would look the same. */
const VALUES_PER_PX = 2;

/** The values of a device or process point over time: one lane for each unit, with a crosshair that keys move. */
export function ValuesChart({ organization, owner, fields, range: rangeText, zoom: zoomText }: ValuesChartProps) {
  const chartText = useText('chart');
  const moment = useMoment();
  const language = useLanguage();
  const navigate = useNavigate();
  const setHost = useSetAtom(chartHostAtom);
  const theme = useTheme();
  const format = momentFormat(useAtomValue(userSessionAtom)?.preferences ?? {});
  const axis = useMemo(() => ({ language, format }), [language, format]);
  const [isTable, setTable] = useState(false);
  const [cursor, setCursor] = useState<number>();
  const [mark, setMark] = useState<number>();
  const [width, setWidth] = useState(0);
  const [ownRange, setOwnRange] = useState<string>();
  // The field restarts with a new period unless it set the period itself, because it would lose focus.
  const [period, setPeriod] = useState({ text: rangeText, key: 0 });
  if (period.text !== rangeText)
    setPeriod({ text: rangeText, key: rangeText === ownRange ? period.key : period.key + 1 });
  const periodKey = period.key;
  const range = useMemo(() => (rangeText === undefined ? DEFAULT_RANGE : parseRange(rangeText)), [rangeText]);
  const zoom = useMemo(() => parseZoom(zoomText), [zoomText]);
  useLiveValues(organization, owner);
  const { data: fieldValues } = useFieldValues(organization, owner);
  const points = Math.ceil(width / WIDTH_STEP) * WIDTH_STEP * VALUES_PER_PX;
  const { data, error, refetch } = useSeries(organization, owner, {
    fields,
    range: range ?? DEFAULT_RANGE,
    zoom,
    points,
  });
  const shownFields = useMemo(() => fieldsToShow(fields, fieldValues), [fields, fieldValues]);
  const unknownFields = fieldValues ? fields.filter((field) => !fieldAt(field, fieldValues)) : [];
  const series = useMemo(() => data?.series ?? [], [data]);
  const lines = useMemo(
    () =>
      shownFields.flatMap((item) =>
        createLines(item, indexOfField(item.field, fields), series, data?.span, owner.interval),
      ),
    [shownFields, fields, series, data, owner.interval],
  );
  const lanes = useMemo(() => createLanes(lines), [lines]);
  const times = useMemo(
    () => mergeTimes(lines.map(({ series: line }) => line.points.map(({ time }) => time))),
    [lines],
  );
  // Stable, because the lanes are drawn again when it changes.
  const gapText = useCallback((gap: Span) => chartText('silent', { age: formatAge(gap.to - gap.from) }), [chartText]);
  const shownCursor =
    cursor !== undefined && data && cursor >= data.span.from && cursor <= data.span.to ? cursor : undefined;
  const change = (search: Partial<Search>): void =>
    void navigate({ to: '.', search: (previous: Search) => ({ ...previous, ...search }), replace: true });

  const host = useLatest<ChartHost>({
    step: (count) => setCursor(stepTime(times, shownCursor, count)),
    zoom: (direction) => {
      if (!data) return;
      const center = shownCursor ?? (data.span.from + data.span.to) / 2;
      const next = zoomSpan(data.span, direction, center, data.bounds);
      change({ zoom: next && printZoom(next) });
    },
    reset: () => change({ zoom: undefined }),
    mark: () => {
      // Without a crosshair, the newest value is the one to compare others with.
      const time = shownCursor ?? times.at(-1);
      if (shownCursor === undefined) setCursor(time);
      setMark(time === mark ? undefined : time);
    },
    setRange: (next) => change({ range: printRange(next), zoom: undefined }),
    toggleTable: () => setTable((before) => !before),
    copyText: async () => tsvText(tableRows(lines, { time: chartText('time'), zone: chartText('zone') })),
    download: async (signal) => {
      const context = contextNow({ signal });
      const span = zoom ?? localSpan(range ?? DEFAULT_RANGE, context);
      return downloadValues(context, owner, fields, span);
    },
  });
  useEffect(() => {
    const latestHost = host;
    const stableHost: ChartHost = {
      step: (count) => latestHost.current.step(count),
      zoom: (direction) => latestHost.current.zoom(direction),
      reset: () => latestHost.current.reset(),
      mark: () => latestHost.current.mark(),
      setRange: (next) => latestHost.current.setRange(next),
      toggleTable: () => latestHost.current.toggleTable(),
      copyText: () => latestHost.current.copyText(),
      download: (signal) => latestHost.current.download(signal),
    };
    // Provide this before setting the host because subscribers to the host read the capabilities.
    provide({ chart: stableHost });
    setHost(stableHost);
    return () => {
      provide({ chart: undefined });
      setHost(undefined);
    };
  }, [host, setHost]);

  // Texts cannot be drawn.
  const showsTable = isTable || (lanes.length === 0 && lines.length > 0);
  const title = chartText('title', { name: owner.name });
  const newest = newestText(shownFields, moment);
  const isEmpty = data !== undefined && lines.every(({ series: line }) => line.points.length === 0);
  return (
    <section aria-label={title} className="flex h-full min-h-0 flex-col">
      <div className="flex items-stretch">
        <div className="min-w-0 flex-1">
          <ToggleTabs
            wraps
            label={chartText('periods')}
            value={range && findPreset(range)}
            onValue={(id) => change({ range: printRange(PRESETS[id] ?? DEFAULT_RANGE), zoom: undefined })}
            tabs={Object.keys(PRESETS).map((id) => ({ id, label: chartText(`preset.${id}`) }))}
          />
        </div>
        <div className="flex items-center border-b border-line px-2">
          <KeyButton
            command="view.back"
            keysOf="view.clear"
            label={chartText('close')}
            icon={<X size={14} aria-hidden />}
          />
        </div>
      </div>
      <div className="flex min-h-filter flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-3 py-1">
        <PeriodField
          key={periodKey}
          range={range}
          text={rangeText}
          onRange={(next) => {
            setOwnRange(printRange(next));
            change({ range: printRange(next), zoom: undefined });
          }}
        />
        {data && (
          <span className="type-mono text-[10.5px] whitespace-nowrap text-ink-2">{spanText(data.span, axis)}</span>
        )}
        <span className="flex-1" />
        <span className="flex flex-wrap items-center gap-1">
          <KeyButton command="chart.zoom-in" icon={<ZoomIn size={14} aria-hidden />} />
          <KeyButton command="chart.zoom-out" icon={<ZoomOut size={14} aria-hidden />} />
          {zoom && <KeyButton command="chart.reset" icon={<Maximize2 size={14} aria-hidden />} />}
          <CommandButton command="chart.table" tone="quiet" aria-pressed={showsTable} className="h-6 px-1.5">
            {chartText('table')}
          </CommandButton>
          <CommandButton command="chart.copy" tone="quiet" className="h-6 px-1.5">
            {chartText('copy')}
          </CommandButton>
          <CommandButton command="chart.download" tone="quiet" className="h-6 px-1.5">
            {chartText('download')}
          </CommandButton>
          <ExportButton owner={owner} range={exportRange(range ?? DEFAULT_RANGE, zoom, data?.span)} />
        </span>
      </div>
      <Legend lines={lines} cursor={shownCursor} mark={mark} axis={axis} />
      {unknownFields.length > 0 && (
        <p role="alert" className="border-b border-line px-3 py-1 text-warning-text">
          {chartText('unknown', {
            count: unknownFields.length,
            fields: unknownFields.join(', '),
            name: owner.name,
            known: (fieldValues ?? []).map(({ field }) => field).join(', ') || '–',
          })}
        </p>
      )}
      {range === undefined && (
        <p role="alert" className="border-b border-line px-3 py-1 text-warning-text">
          {chartText('badRange', { range: rangeText ?? '' })}
        </p>
      )}
      <Measured onWidth={setWidth}>
        {error && !data && <LoadError title={chartText('failed')} error={error} retry={() => void refetch()} />}
        {!data && !error && (
          <div className="p-4">
            <SkeletonRows count={8} label={chartText('loading')} />
          </div>
        )}
        {isEmpty && (
          <StateMessage title={chartText('empty')}>
            {newest === undefined ? chartText('emptyHint') : chartText('emptyNewest', { newest })}
          </StateMessage>
        )}
        {data && !isEmpty && showsTable && <PointTable label={title} lines={lines} />}
        {data && !isEmpty && !showsTable && (
          <Lanes
            label={title}
            lanes={lanes}
            span={data.span}
            cursor={shownCursor}
            mark={mark}
            times={times}
            axis={axis}
            theme={theme}
            gapText={gapText}
            onCursor={setCursor}
            onZoom={(next) => change({ zoom: printZoom(next) })}
          />
        )}
      </Measured>
      {data && !isEmpty && <Trends lines={lines} cursor={shownCursor} mark={mark} />}
    </section>
  );
}

/** Keeps a ref to the latest value, for callbacks that outlive a render. */
function useLatest<T>(value: T) {
  const latestValue = useRef(value);
  useLayoutEffect(() => {
    latestValue.current = value;
  });
  return latestValue;
}

/** Returns the chosen fields that exist, in the chosen order. */
function fieldsToShow(
  fields: readonly string[],
  fieldValues: readonly FieldValue[] | undefined,
): readonly FieldValue[] {
  const shown = fields.flatMap((field) => fieldAt(field, fieldValues ?? []) ?? []);
  return [...new Set(shown)];
}

function newestText(shownFields: readonly FieldValue[], moment: (time: number) => string): string | undefined {
  const times = shownFields.flatMap(({ time }) => time ?? []);
  return times.length > 0 ? moment(Math.max(...times)) : undefined;
}
