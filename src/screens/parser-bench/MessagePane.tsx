import { useEffect, useRef, type CSSProperties, type KeyboardEvent, type Ref } from 'react';

import type { ResultNode } from '#commands/nouns/data/parser/bench/result.ts';
import type { FieldRange } from '#commands/nouns/data/parser/bench/trace.ts';
import { useText } from '#src/i18n/i18n.ts';
import { cx } from '#src/ui/cx.ts';

import type { DefinitionField } from './definition-map.ts';
import { bytesOf, isWithin, leafRanges, offsetText, segmentRows, type Segment } from './segments.ts';

const BYTES_PER_ROW = 8;
/** Fields longer than this show no bits. */
const MAX_BIT_BYTES = 4;
/** The maximum number of bytes to draw. A message is far shorter, but pasted bytes may not be. */
const MAX_BYTES = 2048;

interface MessagePaneProps {
  readonly ref: Ref<HTMLDivElement>;
  readonly hex: string;
  /** Undefined until the message has a result, and on servers that don't report ranges. */
  readonly ranges: readonly FieldRange[] | undefined;
  /** True if the ranges belong to an earlier text. */
  readonly isStale: boolean;
  /** False on servers that don't report ranges. */
  readonly reportsRanges: boolean;
  /** The byte at which the definition fails. */
  readonly failedAt: number | undefined;
  readonly active: string | undefined;
  /** The ranges of the active field, or of the fields that it is computed from. */
  readonly activeRanges: readonly FieldRange[];
  readonly activeNode: ResultNode | undefined;
  readonly activeField: DefinitionField | undefined;
  readonly colorOf: (path: string) => number;
  readonly onActive: (path: string) => void;
}

const colorStyle = (color: number): CSSProperties => ({ '--field': `var(--series-${color})` }) as CSSProperties;

/** The bytes of a message, grouped by field. */
export function MessagePane(props: MessagePaneProps) {
  const { ref, hex, ranges = [], isStale, reportsRanges, failedAt, active, activeRanges, colorOf, onActive } = props;
  const t = useText('parser');
  const bytes = bytesOf(hex).slice(0, MAX_BYTES);
  const leaves = leafRanges(ranges);
  const rows = segmentRows(bytes.length, ranges, BYTES_PER_ROW, failedAt);
  const isActive = ({ paths, start, end }: Segment): boolean =>
    paths.some((path) => active !== undefined && isWithin(path, active)) ||
    activeRanges.some((range) => start < range.end && end > range.start);
  const firstActive = rows.flat().find((segment) => segment.paths.length > 0 && isActive(segment));

  const activeBytes = useRef<HTMLDivElement>(null);
  useEffect(() => {
    activeBytes.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const move = (direction: 1 | -1): void => {
    const index = leaves.findIndex(({ path }) => path === active || (active !== undefined && isWithin(path, active)));
    const next = leaves[index < 0 ? (direction > 0 ? 0 : leaves.length - 1) : index + direction];
    if (next) onActive(next.path);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const end = { Home: leaves[0], End: leaves.at(-1) }[event.key];
    const direction = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key] as 1 | -1 | undefined;
    if (end === undefined && direction === undefined) return;
    event.preventDefault();
    if (end) onActive(end.path);
    else if (direction !== undefined) move(direction);
  };

  const hasFields = leaves.length > 0;
  return (
    <div className={cx('min-h-0 flex-1 overflow-y-auto px-3 py-3', isStale && '**:text-ink-3!')}>
      {bytes.length === 0 && <p className="text-ink-3">{t('bench.noMessage')}</p>}
      <div
        ref={ref}
        role={hasFields ? 'listbox' : 'group'}
        tabIndex={0}
        aria-label={t('bench.bytes', { count: bytes.length })}
        aria-activedescendant={hasFields && firstActive ? `bench-byte-${firstActive.start}` : undefined}
        onKeyDown={onKeyDown}
        className="grid gap-y-2 rounded-field outline-offset-4"
      >
        {rows.map((row, index) => (
          <div key={row[0]?.start} role="presentation" className="grid grid-cols-[40px_repeat(8,minmax(0,42px))]">
            <span aria-hidden className="type-mono pt-1 text-[10.5px] text-ink-3">
              {offsetText(index * BYTES_PER_ROW)}
            </span>
            {row.map((segment) => (
              <Bytes
                key={segment.start}
                {...(segment === firstActive ? { ref: activeBytes } : {})}
                segment={segment}
                isLast={segment.end === bytes.length}
                bytes={bytes}
                isActive={isActive(segment)}
                isPending={(isStale && ranges.length === 0) || failedAt !== undefined}
                isFailed={failedAt !== undefined && segment.start <= failedAt && failedAt < segment.end}
                color={colorOf(segment.paths[0] ?? '')}
                onPick={onActive}
              />
            ))}
          </div>
        ))}
      </div>
      {bytesOf(hex).length > MAX_BYTES && (
        <p className="mt-2 text-ink-3">{t('bench.moreBytes', { count: bytesOf(hex).length - MAX_BYTES })}</p>
      )}
      {!reportsRanges && bytes.length > 0 && <p className="mt-3 text-label text-ink-3">{t('bench.noRanges')}</p>}
      <ActiveField {...props} bytes={bytes} />
    </div>
  );
}

interface BytesProps {
  readonly ref?: Ref<HTMLDivElement>;
  readonly segment: Segment;
  /** True if nothing follows, so the name can be wider than the bytes. */
  readonly isLast: boolean;
  readonly bytes: readonly string[];
  readonly isActive: boolean;
  readonly isFailed: boolean;
  /** True if it isn't known which bytes are read, because the definition fails or is still running. */
  readonly isPending: boolean;
  readonly color: number;
  readonly onPick: (path: string) => void;
}

function Bytes({
  ref,
  segment: { paths, start, end, continues },
  isLast,
  bytes,
  isActive,
  isFailed,
  isPending,
  color,
  onPick,
}: BytesProps) {
  const t = useText('parser');
  const shownBytes = bytes.slice(start, end).map((byte, index) => ({ at: start + index, byte }));
  const [path] = paths;
  const names = paths.map((name) => name.replace(/^.*\./, '')).join(', ');
  const span = { gridColumn: `span ${end - start}` };
  if (path === undefined) {
    return (
      <div role="presentation" style={span} className={cx('min-w-0', isFailed && 'text-error-text')}>
        <span aria-hidden className="type-mono flex h-6 items-center text-center text-ink-3">
          {shownBytes.map(({ at, byte }) => (
            <span key={at} className="flex-1">
              {byte}
            </span>
          ))}
        </span>
        <span className={cx('block px-0.5 text-label', isFailed ? 'whitespace-nowrap' : 'truncate text-ink-3')}>
          {isFailed ? t('bench.failsHere') : isPending ? '\u00A0' : t('bench.unread')}
        </span>
      </div>
    );
  }
  return (
    <div
      ref={ref}
      id={`bench-byte-${start}`}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      style={{ ...span, ...colorStyle(color) }}
      onClick={() => onPick(path)}
      className="relative min-w-0 cursor-default"
    >
      <span
        className="field-bytes type-mono mr-px flex h-6 items-center rounded-t-[3px] text-center text-ink-1"
        data-active={isActive || undefined}
      >
        {shownBytes.map(({ at, byte }) => (
          <span key={at} className="flex-1">
            {byte}
          </span>
        ))}
      </span>
      <span className="sr-only">{t('bench.byteRange', { name: paths.join(', '), start, end: end - 1 })}</span>
      <span
        aria-hidden
        className={cx(
          'block px-0.5 text-label',
          isLast ? 'whitespace-nowrap' : 'truncate',
          isActive ? 'font-semibold text-ink-1' : 'text-ink-2',
        )}
      >
        {continues ? '…' : names}
      </span>
    </div>
  );
}

/** The active field: its bytes as hex and bits, and its value. */
function ActiveField({
  bytes,
  activeRanges,
  activeNode,
  activeField,
  active,
}: MessagePaneProps & { readonly bytes: readonly string[] }) {
  const t = useText('parser');
  if (active === undefined) return null;
  const read = activeRanges.flatMap(({ start, end }) => bytes.slice(start, end));
  const [first] = activeRanges;
  const place =
    activeRanges.length === 1 && first
      ? first.end - first.start === 1
        ? t('bench.atByte', { start: first.start })
        : t('bench.atBytes', { start: first.start, end: first.end - 1 })
      : '';
  const computedFrom =
    activeField && activeField.sources.length > 0 ? t('bench.from', { names: activeField.sources.join(', ') }) : '';
  const bits = read.map((byte) =>
    Number.parseInt(byte, 16)
      .toString(2)
      .padStart(8, '0')
      .replace(/(?<=^.{4})/, ' '),
  );
  const lines = [
    { id: 'field', text: active, note: [activeField?.type ?? '', place || computedFrom].filter(Boolean).join(', ') },
    ...(read.length > 0 ? [{ id: 'hex', text: read.join(' '), note: '' }] : []),
    ...(read.length > 0 && read.length <= MAX_BIT_BYTES ? [{ id: 'bits', text: bits.join('  '), note: '' }] : []),
    ...(activeNode?.text === undefined
      ? []
      : [
          {
            id: 'value',
            text: activeNode.text,
            note: [activeNode.unit, activeNode.declared].filter(Boolean).join(' · '),
          },
        ]),
  ];
  return (
    <dl className="mt-4 grid grid-cols-[64px_minmax(0,1fr)] gap-y-1.5 border-t border-line pt-3">
      {lines.map(({ id, text, note }) => (
        <div key={id} className="contents">
          <dt className="text-ink-3">{t(`bench.active.${id}`)}</dt>
          <dd className="min-w-0">
            <span className="type-mono break-words whitespace-pre-wrap text-ink-1">{text}</span>{' '}
            <span className="text-ink-3">{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
