import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';

import {
  allMessages,
  DEFAULT_MESSAGES,
  newestMessages,
  type StoredMessage,
} from '#commands/nouns/data/parser/bench/comparison.ts';
import { resultNodes } from '#commands/nouns/data/parser/bench/result.ts';
import { readHex } from '#commands/nouns/data/parser/bench/trial.ts';
import { idOf, nameOf, type ParserItem } from '#commands/nouns/data/parser/item.ts';
import type { Field } from '#proto/gen/hiber/field_pb.ts';
import { useText, useTranslate } from '#src/i18n/i18n.ts';
import { contextNow } from '#src/run/context.ts';
import { cx } from '#src/ui/cx.ts';

import { mapDefinition } from './definition-map.ts';
import { DefinitionPane, type DefinitionHandle } from './DefinitionPane.tsx';
import { draftOf, keepDraft } from './draft.ts';
import { changedLines } from './editor.ts';
import { MessageBar } from './MessageBar.tsx';
import { MessagePane } from './MessagePane.tsx';
import { ResultPane } from './ResultPane.tsx';
import { RunControls, type Limit } from './RunControls.tsx';
import { SaveBar, useSave } from './SaveBar.tsx';
import { bytesOf, isWithin, leafRanges, rootOf } from './segments.ts';
import { Hint, StoredPane } from './StoredPane.tsx';
import { useComparison } from './use-comparison.ts';
import { useTrace } from './use-trace.ts';

const NEW_DEFINITION = `meta:
  id: sensor
  title: Sensor
  endian: be
seq:
  - id: frame
    type: u1
`;

const SERIES = 6;
const NO_FIELDS: readonly Field[] = [];

interface BenchProps {
  /** Undefined for a new parser. */
  readonly item: ParserItem | undefined;
  /** The saved definition. */
  readonly saved: string | undefined;
  readonly list: string;
}

/** The bench once its parser has loaded. */
export function Bench({ item, saved, list }: BenchProps) {
  const t = useText('parser');
  const translate = useTranslate();
  const id = item && idOf(item);
  const fields = item?.parser.dataFields ?? NO_FIELDS;
  const readOnly = item !== undefined && (!item.owned || item.parser.simpleParser !== undefined);

  const [initialText] = useState(() => (readOnly ? undefined : draftOf(id)) ?? saved ?? NEW_DEFINITION);
  const [text, setText] = useState(initialText);
  useEffect(() => {
    if (!readOnly) keepDraft(id, text === (saved ?? NEW_DEFINITION) ? undefined : text);
  }, [id, readOnly, saved, text]);

  const messages = useMessages(id);
  const [picked, setPicked] = useState<StoredMessage>();
  const [typed, setTyped] = useState<string>();
  const current = typed === undefined ? (picked ?? messages.list[0]) : undefined;
  const hexProblem = typed !== undefined && readHex(typed) === undefined;
  const hex = (typed === undefined ? current?.hex : readHex(typed)) ?? '';

  const traced = useTrace(text, hex, fields);
  const trace = traced.trace;
  const failed = trace && 'error' in trace ? trace : undefined;
  const { parsed } = traced;
  const nodes = useMemo(() => (parsed ? resultNodes(parsed.fields, fields) : []), [parsed, fields]);
  const ranges = parsed?.ranges;
  const isInvalid = failed?.line !== undefined && traced.text === text;

  const definition = useMemo(() => mapDefinition(text), [text]);
  const [active, setActive] = useState<string>();
  const activeField = useMemo(
    () => (active === undefined ? undefined : definition.field(active)),
    [definition, active],
  );
  const activeNode = nodes.find(({ path }) => path === active);
  const sources = activeField?.sources;
  const activeRanges = useMemo(() => {
    if (active === undefined) return [];
    const leaves = leafRanges(ranges ?? []);
    const own = leaves.filter(({ path }) => isWithin(path, active));
    if (own.length > 0) return own;
    const around = active.includes('.') ? active.replace(/[^.]*$/, '') : '';
    return leaves.filter(({ path }) => (sources ?? []).some((name) => isWithin(path, `${around}${name}`)));
  }, [active, ranges, sources]);

  const colors = useMemo(() => {
    const roots = [
      ...new Set([...(ranges ?? []).map(({ path }) => rootOf(path)), ...nodes.map(({ path }) => rootOf(path))]),
    ];
    return new Map(roots.map((root, index) => [root, (index % SERIES) + 1]));
  }, [ranges, nodes]);
  const colorOf = useCallback(
    (path: string): number => {
      // A computed field has the color of the field that it is computed from.
      const [source] = definition.field(path)?.sources ?? [];
      return colors.get(source ?? rootOf(path)) ?? colors.get(rootOf(path)) ?? SERIES;
    },
    [colors, definition],
  );

  const [filter, setFilter] = useState('');
  const [limit, setLimit] = useState<Limit>('20');
  const stored = useComparison({
    parser: id,
    saved,
    fields,
    text,
    isValid: trace !== undefined && !isInvalid && !traced.stale,
    filter,
    limit: Number(limit),
  });
  const [activeRow, setActiveRow] = useState<string>();
  const [openedRow, setOpenedRow] = useState<string>();

  const marks = useMemo(
    () => ({
      ...(failed?.line === undefined
        ? {}
        : { error: { line: failed.line, text: failed.error.replace(/^Line \d+: /, '') } }),
      ...(activeField && active !== undefined ? { active: { lines: activeField.lines, color: colorOf(active) } } : {}),
      ...(saved === undefined ? {} : { changed: changedLines(saved, text) }),
    }),
    [failed, activeField, active, colorOf, saved, text],
  );

  const editor = useRef<DefinitionHandle>(null);
  const messagePane = useRef<HTMLDivElement>(null);
  const resultPane = useRef<HTMLDivElement>(null);
  const storedPane = useRef<HTMLDivElement>(null);
  useEffect(() => editor.current?.focus(), []);

  /** Marks the field whose lines the caret is in: the innermost one, and the first if several results come from it. */
  const followCaret = (line: number): void => {
    let best: { readonly path: string; readonly size: number } | undefined;
    const paths = new Set([...nodes.map(({ path }) => path), ...(ranges ?? []).map(({ path }) => path)]);
    for (const path of paths) {
      const lines = definition.field(path)?.lines;
      if (!lines || line < lines.from || line > lines.to) continue;
      const size = lines.to - lines.from;
      if (!best || size < best.size) best = { path, size };
    }
    setActive(best?.path);
  };

  const save = useSave({ item, saved, text, readOnly, isInvalid, list });
  const focusNextPane = (direction: 1 | -1): void => {
    const panes = [editor.current, messagePane.current, resultPane.current, storedPane.current];
    const focused = [
      editor.current?.hasFocus() ?? false,
      ...[messagePane, resultPane, storedPane].map(({ current }) => current?.contains(document.activeElement) ?? false),
    ].indexOf(true);
    panes[(focused + direction + panes.length) % panes.length]?.focus();
  };
  const stepMessage = (direction: 1 | -1): void => {
    const index = messages.list.findIndex((candidate) => candidate.id === current?.id);
    const next = messages.list[index + direction];
    if (!next) return;
    setTyped(undefined);
    setPicked(next);
  };
  const onKeys = (event: KeyboardEvent): void => {
    const isTyping = event.target instanceof HTMLElement && event.target.closest('input, select, .cm-editor') !== null;
    const isRun = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    const action = isRun
      ? save.run
      : event.key === 'Enter' && event.altKey
        ? save.plan
        : event.key === 'F6'
          ? () => focusNextPane(event.shiftKey ? -1 : 1)
          : event.key === 'F8'
            ? () => failed?.line !== undefined && editor.current?.goTo(failed.line)
            : !isTyping && event.key === ']'
              ? () => stepMessage(1)
              : !isTyping && event.key === '['
                ? () => stepMessage(-1)
                : undefined;
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };

  const changed = saved === undefined ? undefined : changedLines(saved, text);
  const error = failed && failed.line === undefined && hex !== '' ? failed.error : undefined;
  const title = item ? nameOf(item) : t('bench.newTitle');
  return (
    <section
      aria-label={t('bench.title')}
      onKeyDownCapture={onKeys}
      className="parser-bench @container flex h-full min-h-0 flex-col overflow-y-auto"
    >
      <MessageBar
        message={current}
        position={messages.list.findIndex((candidate) => candidate.id === current?.id)}
        count={messages.list.length}
        typed={typed}
        problem={hexProblem ? t('bench.hex') : undefined}
        onTyped={setTyped}
        onStep={stepMessage}
      />
      <div className="grid min-h-[300px] grow-3 basis-[395px] grid-cols-[400fr_412fr_432fr] grid-rows-[minmax(0,1fr)] @max-[1000px]:grid-cols-2 @max-[1000px]:grid-rows-[minmax(0,1fr)_minmax(0,1fr)]">
        <Pane
          className="@max-[1000px]:row-span-2"
          title={title}
          note={
            readOnly
              ? t(item.owned ? 'bench.simple' : 'bench.inherited')
              : changed
                ? t('bench.linesChanged', { count: changed.to - changed.from + 1 })
                : ''
          }
          aside={
            isInvalid ? (
              <span className="text-error-text">{t('bench.invalidAt', { line: failed.line ?? 0 })}</span>
            ) : trace === undefined ? null : (
              <span className={traced.stale ? 'text-ink-3' : 'text-ok-text'}>
                {t(traced.stale ? 'bench.parsing' : 'bench.valid')}
              </span>
            )
          }
        >
          <DefinitionPane
            ref={editor}
            initialText={initialText}
            readOnly={readOnly}
            marks={marks}
            onText={setText}
            onLine={followCaret}
          />
        </Pane>
        <Pane
          title={t('bench.message')}
          note={t('bench.byteCount', { count: bytesOf(hex).length })}
          aside={<Hint keys="← →" text={t('bench.hint.field')} />}
        >
          <MessagePane
            ref={messagePane}
            hex={hex}
            ranges={ranges}
            stale={traced.stale || isInvalid}
            hasRanges={parsed === undefined || parsed.ranges !== undefined}
            failedAt={failed?.offset}
            active={active}
            activeRanges={activeRanges}
            activeNode={activeNode}
            activeField={activeField}
            colorOf={colorOf}
            onActive={setActive}
          />
        </Pane>
        <Pane
          title={t('bench.parsed')}
          note={
            nodes.length > 0
              ? t('bench.valueCount', { count: nodes.filter(({ text: value }) => value !== undefined).length })
              : ''
          }
          aside={null}
        >
          <ResultPane
            ref={resultPane}
            nodes={nodes}
            error={traced.failure ? translate(traced.failure) : error}
            stale={traced.stale || isInvalid}
            active={active}
            colorOf={colorOf}
            onActive={setActive}
          />
        </Pane>
      </div>
      <div className="flex min-h-[220px] grow-2 basis-[240px] flex-col">
        <StoredPane
          ref={storedPane}
          comparison={stored.comparison}
          stale={stored.stale || isInvalid}
          active={activeRow}
          opened={openedRow}
          onActive={setActiveRow}
          onOpen={setOpenedRow}
          onPut={(row) => {
            setTyped(undefined);
            setPicked(row);
          }}
          empty={
            stored.failure
              ? translate(stored.failure)
              : isInvalid
                ? t('bench.fixFirst')
                : stored.comparison
                  ? t('bench.noMessages')
                  : t(Number(limit) > DEFAULT_MESSAGES && !stored.progress ? 'bench.notRun' : 'bench.reading')
          }
          controls={
            <RunControls
              filter={filter}
              limit={limit}
              progress={stored.progress}
              canRun={!isInvalid}
              onFilter={setFilter}
              onLimit={setLimit}
              onRun={stored.start}
              onCancel={stored.cancel}
            />
          }
        />
      </div>
      <SaveBar
        title={title}
        isNew={item === undefined}
        save={save}
        failing={stored.comparison && !stored.stale ? stored.comparison.counts.nowFails : undefined}
        total={stored.comparison?.verdicts.length ?? 0}
      />
    </section>
  );
}

interface PaneProps {
  readonly title: string;
  readonly note: string;
  readonly aside: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

function Pane({ title, note, aside, className, children }: PaneProps) {
  return (
    <section
      aria-label={title}
      className={cx(
        'flex min-h-0 min-w-0 flex-col border-r border-line last:border-r-0 @max-[1000px]:nth-2:border-r-0 @max-[1000px]:nth-2:border-b',
        className,
      )}
    >
      <header className="flex h-[30px] shrink-0 items-center gap-2 border-b border-line px-3">
        <h2 className="truncate font-semibold">{title}</h2>
        <span className="truncate text-ink-3">{note}</span>
        <span className="flex-1" />
        <span className="shrink-0 text-label text-ink-3">{aside}</span>
      </header>
      {children}
    </section>
  );
}

/** Loads the newest messages that the parser was applied to, or any messages for a new parser. */
function useMessages(id: string | undefined): { readonly list: readonly StoredMessage[] } {
  const [list, setList] = useState<readonly StoredMessage[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    const context = contextNow({ signal: abort.signal });
    newestMessages(context, { selection: allMessages(), parsedBy: id, limit: DEFAULT_MESSAGES }).then(
      (loaded) => abort.signal.aborted || setList(loaded),
      // Without permission for messages, bytes can still be pasted.
      () => undefined,
    );
    return () => abort.abort();
  }, [id]);
  return { list };
}
