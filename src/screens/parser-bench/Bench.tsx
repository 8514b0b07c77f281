import { useEffect, useMemo, useRef, useState } from 'react';

import { DEFAULT_MESSAGES, type StoredMessage } from '#commands/nouns/data/parser/bench/comparison.ts';
import type { Verdict } from '#commands/nouns/data/parser/bench/difference.ts';
import { declaredLabels } from '#commands/nouns/data/parser/bench/labels.ts';
import { countChangedLines, diffLines } from '#commands/nouns/data/parser/bench/line-diff.ts';
import { resultNodes } from '#commands/nouns/data/parser/bench/result.ts';
import { readHex } from '#commands/nouns/data/parser/bench/trial.ts';
import { idOf, nameOf, type ParserItem } from '#commands/nouns/data/parser/item.ts';
import type { Field } from '#proto/gen/hiber/field_pb.ts';
import type { UnitPreferences } from '#proto/gen/hiber/unit_preferences_pb.ts';
import { useText, useTranslate } from '#src/i18n/i18n.ts';

import { mapDefinition } from './definition-map.ts';
import { DefinitionPane, type DefinitionHandle } from './DefinitionPane.tsx';
import { changedLines } from './editor.ts';
import { FieldsPane, type FieldsHandle } from './fields/FieldsPane.tsx';
import { mapSimple } from './fields/map.ts';
import { KindLinks } from './KindLinks.tsx';
import { MessageBar } from './MessageBar.tsx';
import { MessagePane } from './MessagePane.tsx';
import { Pane } from './Pane.tsx';
import { ResultPane } from './ResultPane.tsx';
import { RunControls, type Limit } from './RunControls.tsx';
import { SaveBar, useSave } from './SaveBar.tsx';
import { bytesOf } from './segments.ts';
import { nextDifference, nextVerdict, shownRows } from './stored-rows.ts';
import { KeyText, StoredPane } from './StoredPane.tsx';
import { useActiveField } from './use-active-field.ts';
import { useBenchKeys } from './use-bench-keys.ts';
import { useComparison } from './use-comparison.ts';
import { useDraft } from './use-draft.ts';
import { useMessages } from './use-messages.ts';
import { useParts } from './use-parts.ts';
import { useSettled } from './use-settled.ts';
import { useTrace } from './use-trace.ts';

const NO_FIELDS: readonly Field[] = [];

interface BenchProps {
  /** Undefined for a new parser. */
  readonly item: ParserItem | undefined;
  /** The saved definition. */
  readonly saved: string | undefined;
  readonly preferences: UnitPreferences | undefined;
  /** True if a new parser is built field by field. */
  readonly isNewSimple: boolean;
  /** True if someone deleted the parser in the meantime. */
  readonly isDeleted: boolean;
  readonly listPath: string;
  /** False while another tab covers the bench. */
  readonly isShown: boolean;
}

/** The bench once its parser has loaded. */
export function Bench({ item, saved, preferences, isNewSimple, isDeleted, listPath, isShown }: BenchProps) {
  const t = useText('parser');
  const translate = useTranslate();
  const id = item && idOf(item);
  const fields = item?.parser.dataFields ?? NO_FIELDS;
  const readOnly = item !== undefined && !item.owned;

  const draft = useDraft({ item, saved, isNewSimple, readOnly });
  const { text, simple, source } = draft;
  const settledText = useSettled(text);

  const messages = useMessages(id);
  const [pickedMessage, setPickedMessage] = useState<StoredMessage>();
  const [typed, setTyped] = useState<string>();
  const current = typed === undefined ? (pickedMessage ?? messages[0]) : undefined;
  const hexProblem = typed !== undefined && readHex(typed) === undefined;
  const hex = (typed === undefined ? current?.hex : readHex(typed)) ?? '';

  const traceState = useTrace(source, hex, fields);
  const { trace, failedTrace, lastSuccess } = traceState;
  const labels = useMemo(() => declaredLabels(fields, preferences), [fields, preferences]);
  const nodes = useMemo(() => (lastSuccess ? resultNodes(lastSuccess.fields, labels) : []), [lastSuccess, labels]);
  const ranges = lastSuccess?.ranges;
  /** False for a new simple parser until something is typed. Until then, missing values are not reported. */
  const hasInput = item !== undefined || draft.isChanged;
  const isInvalid = draft.problems.length > 0 || (failedTrace?.line !== undefined && traceState.source === source);
  const hasProblems = isInvalid && hasInput;

  const definition = useMemo(() => (simple ? mapSimple(simple) : mapDefinition(settledText)), [simple, settledText]);
  const { active, setActive, activeField, activeNode, activeRanges, colorOf, paths } = useActiveField(
    definition,
    nodes,
    ranges,
  );
  const parts = useParts(definition, paths);
  const failure = traceState.isStale || (hex === '' && failedTrace?.line === undefined) ? undefined : failedTrace;
  const problems = !simple || draft.problems.length > 0 ? draft.problems : parts.problemsOf(failure, simple);

  const [filter, setFilter] = useState('');
  const [limit, setLimit] = useState<Limit>('20');
  const regressionRun = useComparison({
    parser: id,
    saved: draft.savedSource,
    fields,
    source,
    isValid: trace !== undefined && !isInvalid && !traceState.isStale,
    filter,
    limit: Number(limit),
  });
  const { comparison } = regressionRun;
  const [chosenVerdict, setVerdict] = useState<Verdict>();
  // If no message has it any more, all are listed again.
  const verdict = chosenVerdict && comparison?.counts[chosenVerdict] ? chosenVerdict : undefined;
  const [activeRow, setActiveRow] = useState<string>();
  const [openedRow, setOpenedRow] = useState<string>();

  const lineChanges = useMemo(
    () => (saved === undefined || simple ? [] : diffLines(saved, settledText)),
    [saved, simple, settledText],
  );
  const marks = useMemo(
    () => ({
      ...(failedTrace?.line === undefined
        ? {}
        : { error: { line: failedTrace.line, text: failedTrace.error.replace(/^Line \d+: /, '') } }),
      ...(activeField?.lines && active !== undefined
        ? { active: { lines: activeField.lines, color: colorOf(active) } }
        : {}),
      changed: changedLines(lineChanges, settledText),
    }),
    [failedTrace, activeField, active, colorOf, lineChanges, settledText],
  );

  const textEditor = useRef<DefinitionHandle>(null);
  const form = useRef<FieldsHandle>(null);
  const editor = simple ? form : textEditor;
  const messagePane = useRef<HTMLDivElement>(null);
  const resultPane = useRef<HTMLDivElement>(null);
  const storedPane = useRef<HTMLDivElement>(null);
  useEffect(() => (textEditor.current ?? form.current)?.focus(), []);

  /** Marks the field whose lines the caret is in: the innermost one, and the first if several results come from it. */
  const followCaret = (line: number): void => {
    let longestMatch: { readonly path: string; readonly size: number } | undefined;
    for (const path of paths) {
      const lines = definition.field(path)?.lines;
      if (!lines || line < lines.from || line > lines.to) continue;
      const size = lines.to - lines.from;
      if (!longestMatch || size < longestMatch.size) longestMatch = { path, size };
    }
    setActive(longestMatch?.path);
  };

  const save = useSave({ item, draft, saved, isDeleted, readOnly, hasProblems, listPath });
  const focusPane = (direction: 1 | -1): void => {
    const panes = [editor.current, messagePane.current, resultPane.current, storedPane.current];
    const focusedIndex = [
      editor.current?.hasFocus() ?? false,
      ...[messagePane, resultPane, storedPane].map(({ current }) => current?.contains(document.activeElement) ?? false),
    ].indexOf(true);
    panes[(focusedIndex + direction + panes.length) % panes.length]?.focus();
  };
  const goToProblem = (): void => {
    if (simple) form.current?.goToProblem();
    else if (failedTrace?.line !== undefined) textEditor.current?.goTo(failedTrace.line);
  };
  const stepMessage = (direction: 1 | -1): void => {
    const index = messages.findIndex((candidate) => candidate.id === current?.id);
    const next = messages[index + direction];
    if (!next) return;
    setTyped(undefined);
    setPickedMessage(next);
  };
  const goToDifference = (direction: 1 | -1): void => {
    const next = nextDifference(shownRows(comparison, verdict), activeRow, direction);
    if (next) setActiveRow(next.id);
  };
  const loadMessage = (): void => {
    const row = shownRows(comparison, verdict).find((candidate) => candidate.id === activeRow);
    if (!row) return;
    setTyped(undefined);
    setPickedMessage(row);
  };
  const host = {
    save: save.run,
    plan: save.plan,
    focusPane,
    goToProblem,
    goToDifference,
    showNextVerdict: () => setVerdict(comparison && nextVerdict(comparison, verdict)),
    loadMessage,
    moveField: (direction: 1 | -1) => form.current?.move(direction),
    duplicateField: () => form.current?.duplicate(),
    removeField: () => form.current?.remove(),
  };
  const onKeys = useBenchKeys({ host, isShown, onStep: stepMessage });

  // A mistake in the definition is shown where it is.
  const error = failedTrace?.line === undefined && hex !== '' ? failedTrace?.error : undefined;
  const title = item ? nameOf(item) : t('bench.newTitle');
  return (
    <section
      aria-label={t('bench.title')}
      onKeyDownCapture={onKeys}
      className="parser-bench @container flex h-full min-h-0 flex-col overflow-y-auto"
    >
      <MessageBar
        message={current}
        position={messages.findIndex((candidate) => candidate.id === current?.id)}
        count={messages.length}
        typed={typed}
        problem={hexProblem ? t('bench.hex') : undefined}
        onTyped={setTyped}
        onStep={stepMessage}
      />
      <div className="grid min-h-[270px] grow-3 basis-[395px] grid-cols-[400fr_412fr_432fr] grid-rows-[minmax(0,1fr)] @max-[1000px]:grid-cols-2 @max-[1000px]:grid-rows-[minmax(0,1fr)_minmax(0,1fr)]">
        <Pane
          className="@max-[1000px]:row-span-2"
          title={title}
          note={
            readOnly
              ? t('bench.inherited')
              : lineChanges.length > 0
                ? t('bench.linesChanged', { count: countChangedLines(lineChanges) })
                : ''
          }
          aside={
            <Validity
              problem={
                !isInvalid
                  ? undefined
                  : !simple
                    ? t('bench.invalidAt', { line: failedTrace?.line ?? 0 })
                    : hasInput
                      ? t('builder.problems', { count: Math.max(problems.length, 1) })
                      : undefined
              }
              state={trace === undefined ? undefined : t(traceState.isStale ? 'bench.parsing' : 'bench.valid')}
              isStale={traceState.isStale}
            />
          }
        >
          {!item && <KindLinks listPath={listPath} isSimple={isNewSimple} />}
          {simple ? (
            <FieldsPane
              ref={form}
              parser={simple}
              saved={draft.savedSimple}
              readOnly={readOnly}
              problems={problems}
              active={activeField?.part}
              colorOfPart={(key) => {
                const path = parts.pathOf(key);
                return path === undefined ? undefined : colorOf(path);
              }}
              onParser={draft.setSimple}
              onPart={(key) => setActive(parts.pathOf(key))}
            />
          ) : (
            <DefinitionPane
              ref={textEditor}
              initialText={draft.initialText}
              initialCaret={draft.initialCaret}
              readOnly={readOnly}
              marks={marks}
              onChange={draft.setText}
              onLineChange={followCaret}
            />
          )}
        </Pane>
        <Pane
          title={t('bench.message')}
          note={t('bench.byteCount', { count: bytesOf(hex).length })}
          aside={<KeyText keys="← →" text={t('bench.hint.field')} />}
        >
          <MessagePane
            ref={messagePane}
            hex={hex}
            ranges={ranges}
            isStale={traceState.isStale || isInvalid}
            reportsRanges={lastSuccess === undefined || lastSuccess.ranges !== undefined}
            failedAt={failedTrace?.offset}
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
            error={traceState.failure ? translate(traceState.failure) : error}
            isStale={traceState.isStale || isInvalid}
            active={active}
            colorOf={colorOf}
            onActive={setActive}
          />
        </Pane>
      </div>
      <div className="flex min-h-[220px] grow-2 basis-[240px] flex-col">
        <StoredPane
          ref={storedPane}
          comparison={comparison}
          verdict={verdict}
          labels={labels}
          isStale={regressionRun.isStale || isInvalid}
          active={activeRow}
          openId={openedRow}
          onActive={setActiveRow}
          onOpen={setOpenedRow}
          onVerdict={setVerdict}
          empty={
            regressionRun.failure
              ? translate(regressionRun.failure)
              : isInvalid
                ? t(!hasInput ? 'builder.fieldsFirst' : simple ? 'builder.fixFirst' : 'bench.fixFirst')
                : comparison
                  ? t(item ? 'bench.noMessages' : 'bench.noMatchingMessages')
                  : t(Number(limit) > DEFAULT_MESSAGES && !regressionRun.progress ? 'bench.notRun' : 'bench.reading')
          }
          controls={
            <RunControls
              filter={filter}
              limit={limit}
              progress={regressionRun.progress}
              canRun={!isInvalid}
              onFilter={setFilter}
              onLimit={setLimit}
              onRun={regressionRun.start}
              onCancel={regressionRun.cancel}
            />
          }
        />
      </div>
      <SaveBar
        title={title}
        isNew={item === undefined}
        isSimple={simple !== undefined}
        save={save}
        comparison={regressionRun.isStale ? undefined : comparison}
      />
    </section>
  );
}

interface ValidityProps {
  readonly problem: string | undefined;
  readonly state: string | undefined;
  readonly isStale: boolean;
}

/** Tells whether the definition is valid, or what is wrong with it. */
function Validity({ problem, state, isStale }: ValidityProps) {
  if (problem !== undefined) return <span className="text-error-text">{problem}</span>;
  return <span className={isStale ? 'text-ink-3' : 'text-ok-text'}>{state}</span>;
}
