import { useNavigate } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';
import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';

import { failureOf, isAbort } from '#commands/model/errors.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import {
  allMessages,
  DEFAULT_MESSAGES,
  MAX_MESSAGES,
  newestMessages,
  type StoredMessage,
} from '#commands/nouns/data/parser/bench/comparison.ts';
import { resultNodes } from '#commands/nouns/data/parser/bench/result.ts';
import { readHex } from '#commands/nouns/data/parser/bench/trial.ts';
import { idOf, nameOf, type ParserItem } from '#commands/nouns/data/parser/item.ts';
import { prepare, type PreparedRun } from '#commands/run/run.ts';
import type { Message } from '#commands/text/message.ts';
import type { Field } from '#proto/gen/hiber/field_pb.ts';
import { useMoment, useText, useTranslate } from '#src/i18n/i18n.ts';
import { registry } from '#src/registry/registry.ts';
import { contextNow } from '#src/run/context.ts';
import { invoke } from '#src/run/invoke.ts';
import { PlanView } from '#src/run/plan/PlanView.tsx';
import { store } from '#src/state/store.ts';
import { userSessionAtom } from '#src/state/user-session.ts';
import { historyAtom } from '#src/state/work.ts';
import { Button } from '#src/ui/Button.tsx';
import { cx } from '#src/ui/cx.ts';
import { Select } from '#src/ui/fields/Select.tsx';
import { TextInput } from '#src/ui/fields/TextInput.tsx';
import { Kbd } from '#src/ui/Kbd.tsx';
import { Progress } from '#src/ui/Progress.tsx';

import { mapDefinition } from './definition-map.ts';
import { DefinitionPane, type DefinitionHandle } from './DefinitionPane.tsx';
import { draftOf, keepDraft } from './draft.ts';
import { changedLines } from './editor.ts';
import { MessagePane } from './MessagePane.tsx';
import { ResultPane } from './ResultPane.tsx';
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

const LIMITS = ['20', '100', '1000', `${MAX_MESSAGES}`] as const;
const SERIES = 6;
const NO_FIELDS: readonly Field[] = [];

interface BenchProps {
  /** Undefined for a new parser. */
  readonly item: ParserItem | undefined;
  /** The saved definition. */
  readonly saved: string | undefined;
  readonly list: string;
}

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
  const [limit, setLimit] = useState<(typeof LIMITS)[number]>('20');
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
      <div className="grid min-h-[300px] shrink-0 grow-3 basis-[395px] grid-cols-[400fr_412fr_432fr] grid-rows-[minmax(0,1fr)] @max-[1000px]:grid-cols-2 @max-[1000px]:grid-rows-[minmax(0,1fr)_minmax(0,1fr)]">
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
      <div className="flex min-h-[220px] shrink-0 grow-2 basis-[240px] flex-col">
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
        'flex min-h-0 min-w-0 flex-col border-r border-line last:border-r-0 @max-[1000px]:border-b',
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

interface MessageBarProps {
  readonly message: StoredMessage | undefined;
  readonly position: number;
  readonly count: number;
  readonly typed: string | undefined;
  readonly problem: string | undefined;
  readonly onTyped: (text: string | undefined) => void;
  readonly onStep: (direction: 1 | -1) => void;
}

/** Chooses the message in the bench: a stored one, or pasted bytes. */
function MessageBar({ message: shown, position, count, typed, problem, onTyped, onStep }: MessageBarProps) {
  const t = useText('parser');
  const moment = useMoment();
  const when = shown && (shown.sentMs === undefined ? shown.sent : moment(shown.sentMs));
  return (
    <div className="flex min-h-filter shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1">
      <span className="w-72">
        <TextInput
          mono
          aria-label={t('bench.paste')}
          aria-invalid={problem !== undefined}
          placeholder={t('bench.paste')}
          value={typed ?? ''}
          onText={(text) => onTyped(text === '' ? undefined : text)}
          className="h-[26px]"
        />
      </span>
      {problem !== undefined && (
        <span role="alert" className="text-error-text">
          {problem}
        </span>
      )}
      {typed === undefined && shown && (
        <>
          <span className="min-w-0 truncate text-ink-2">
            <span className="type-mono">{shown.device}</span> · {when}
          </span>
          <span className="text-ink-3">{position < 0 ? '' : t('bench.position', { number: position + 1, count })}</span>
          <span className="flex gap-1">
            <Button tone="quiet" className="h-6 px-1" aria-label={t('bench.newer')} onClick={() => onStep(-1)}>
              <Kbd keys="[" framed />
            </Button>
            <Button tone="quiet" className="h-6 px-1" aria-label={t('bench.older')} onClick={() => onStep(1)}>
              <Kbd keys="]" framed />
            </Button>
          </span>
        </>
      )}
      {typed !== undefined && problem === undefined && <span className="text-ink-3">{t('bench.pasted')}</span>}
      <span className="flex-1" />
      <span className="truncate text-label text-ink-3">{t('bench.asYouType')}</span>
    </div>
  );
}

interface RunControlsProps {
  readonly filter: string;
  readonly limit: (typeof LIMITS)[number];
  readonly progress: { readonly done: number; readonly total: number } | undefined;
  readonly canRun: boolean;
  readonly onFilter: (filter: string) => void;
  readonly onLimit: (limit: (typeof LIMITS)[number]) => void;
  readonly onRun: () => void;
  readonly onCancel: () => void;
}

function RunControls({ filter, limit, progress, canRun, onFilter, onLimit, onRun, onCancel }: RunControlsProps) {
  const t = useText('parser');
  const [draft, setDraft] = useState(filter);
  return (
    <form
      className="flex items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (draft !== filter) onFilter(draft);
        else if (canRun) onRun();
      }}
    >
      {progress && (
        <span className="flex items-center gap-2 text-label text-ink-3 tabular-nums">
          {t('bench.progress', { done: progress.done, total: progress.total })}
          <span className="w-16">
            <Progress value={progress.done} max={progress.total} label={t('bench.comparing')} />
          </span>
        </span>
      )}
      <span className="w-48">
        <TextInput
          mono
          aria-label={t('bench.filter')}
          placeholder={t('bench.filterHint')}
          value={draft}
          onText={setDraft}
          onBlur={() => draft !== filter && onFilter(draft)}
          className="h-6"
        />
      </span>
      <Select
        aria-label={t('bench.limit')}
        value={limit}
        options={LIMITS.map((value) => ({ value, label: t('bench.limitOption', { count: Number(value) }) }))}
        onValue={onLimit}
        className="[&_select]:h-6 [&_select]:py-0"
      />
      {progress ? (
        <Button className="h-6" onClick={onCancel}>
          {t('bench.cancel')}
        </Button>
      ) : (
        <Button className="h-6" type="submit" disabled={!canRun}>
          {t('bench.run')}
        </Button>
      )}
    </form>
  );
}

interface Save {
  readonly run: () => void;
  readonly plan: () => void;
  readonly isChanged: boolean;
  readonly reason: string | undefined;
  readonly preparedRun: PreparedRun | undefined;
  readonly failure: Message | undefined;
}

interface SaveOptions extends Omit<BenchProps, never> {
  readonly text: string;
  readonly readOnly: boolean;
  readonly isInvalid: boolean;
}

/** Saves through the commands that the palette and the CLI have, so undo, plans and permissions are theirs. */
function useSave({ item, saved, text, readOnly, isInvalid, list }: SaveOptions): Save {
  const t = useText('parser');
  const navigate = useNavigate();
  const [planned, setPlanned] = useState<{
    readonly text: string;
    readonly preparedRun?: PreparedRun;
    readonly failure?: Message;
  }>();
  const isChanged = text !== saved;
  const reason = readOnly
    ? t(item?.owned ? 'bench.simple' : 'bench.inherited')
    : isInvalid
      ? t('bench.fixFirst')
      : isChanged
        ? undefined
        : t('bench.unchanged');
  const invocation: Invocation = item
    ? { id: 'parser.edit', args: { parsers: { ids: [idOf(item)] }, definition: text } }
    : { id: 'parser.upload', args: { definition: text } };

  const run = async (): Promise<void> => {
    if (reason !== undefined) return;
    const before = store.get(historyAtom).entries.at(-1);
    await invoke(invocation);
    if (item) return;
    const last = store.get(historyAtom).entries.at(-1);
    const created = last === before ? undefined : createdId(last?.run.inverse ?? []);
    if (created === undefined) return;
    keepDraft(undefined, undefined);
    await navigate({ to: '/$', params: { _splat: `${list.slice(1)}/${created}/update` } });
  };
  const plan = async (): Promise<void> => {
    if (reason !== undefined) return;
    const command = registry().command(invocation.id);
    if (!command) return;
    try {
      setPlanned({ text, preparedRun: await prepare(command, invocation.args, contextNow()) });
    } catch (error) {
      if (!isAbort(error)) setPlanned({ text, failure: failureOf(error).message });
    }
  };
  const isCurrent = planned?.text === text && isChanged;
  return {
    run: () => void run(),
    plan: () => void plan(),
    isChanged,
    reason,
    preparedRun: isCurrent ? planned.preparedRun : undefined,
    failure: isCurrent ? planned.failure : undefined,
  };
}

/** Returns the parser that a run created, which its undo would delete. */
function createdId(inverse: readonly Invocation[]): string | undefined {
  const target = inverse.find(({ id }) => id === 'parser.delete')?.args['parsers'];
  return typeof target === 'object' && 'ids' in target ? target.ids[0] : undefined;
}

interface SaveBarProps {
  readonly title: string;
  readonly isNew: boolean;
  readonly save: Save;
  /** The number of stored messages that would no longer parse; undefined while that is unknown. */
  readonly failing: number | undefined;
  readonly total: number;
}

/** What saving would do, and its keys. */
function SaveBar({ title, isNew, save, failing, total }: SaveBarProps) {
  const t = useText('parser');
  const translate = useTranslate();
  const organization = useAtomValue(userSessionAtom)?.organization;
  const { preparedRun, failure, reason } = save;
  return (
    <div
      role="group"
      aria-label={t('bench.save')}
      className="sticky bottom-0 flex shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line-strong bg-surface-0 px-3 py-2"
    >
      <div className="min-w-0 flex-1">
        {preparedRun && organization ? (
          <PlanView preparedRun={preparedRun} organization={organization} />
        ) : (
          <p className="truncate">
            <span className="font-semibold">{t(isNew ? 'bench.upload' : 'bench.saveAs', { name: title })}</span>{' '}
            <span className="text-ink-3">{reason ?? ''}</span>
          </p>
        )}
        {failure && <p className="text-error-text">{translate(failure)}</p>}
        {reason === undefined && failing !== undefined && total > 0 && !isNew && (
          <p className={failing > 0 ? 'text-error-text' : 'text-ink-3'}>
            {failing > 0 ? t('bench.wouldFail', { failing, count: total }) : t('bench.wouldParse', { count: total })}
          </p>
        )}
      </div>
      <Button
        onClick={save.plan}
        {...(reason === undefined ? {} : { disabledReason: reason })}
        aria-keyshortcuts="Alt+Enter"
      >
        {t('bench.plan')} <Kbd keys="Alt ⏎" />
      </Button>
      <Button
        tone="primary"
        onClick={save.run}
        {...(reason === undefined ? {} : { disabledReason: reason })}
        aria-keyshortcuts="Control+Enter"
      >
        {t('bench.saveNow')} <Kbd keys="Ctrl ⏎" className="text-on-accent" />
      </Button>
    </div>
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
