import { useNavigate } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';
import { useRef, useState } from 'react';

import { isAbort } from '#commands/model/errors.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { enumName } from '#commands/model/wire.ts';
import type { Comparison } from '#commands/nouns/data/parser/bench/comparison.ts';
import { idOf, type ParserItem } from '#commands/nouns/data/parser/item.ts';
import { formatSimple } from '#commands/nouns/data/parser/simple-fields.ts';
import { availability } from '#commands/run/availability.ts';
import { prepare, type PreparedRun } from '#commands/run/run.ts';
import { message, type Message } from '#commands/text/message.ts';
import { SimpleModemMessageBodyParser_Endian as Endian } from '#proto/gen/hiber/parser_pb.ts';
import { commandFailure } from '#src/data/failure.ts';
import { queryClient } from '#src/data/query-client.ts';
import { useText, useTranslate } from '#src/i18n/i18n.ts';
import { useKeyHints } from '#src/keymap/bindings.ts';
import { directory, registry } from '#src/registry/registry.ts';
import { contextNow } from '#src/run/context.ts';
import { invoke } from '#src/run/invoke.ts';
import { PlanView } from '#src/run/plan/PlanView.tsx';
import { useCommandContext } from '#src/run/use-context.ts';
import { store } from '#src/state/store.ts';
import { userSessionAtom } from '#src/state/user-session.ts';
import { historyAtom } from '#src/state/work.ts';
import { Button } from '#src/ui/Button.tsx';

import { benchQuery } from './load-bench.ts';
import { useBase } from './use-base.ts';
import type { SavedContent, Draft } from './use-draft.ts';

interface Save {
  readonly run: () => void;
  readonly plan: () => void;
  readonly isChanged: boolean;
  readonly reason: string | undefined;
  readonly preparedRun: PreparedRun | undefined;
  readonly failure: Message | undefined;
}

interface SaveOptions {
  /** Undefined for a new parser. */
  readonly item: ParserItem | undefined;
  readonly draft: Draft;
  /** The definition that the draft is compared with. */
  readonly saved: string | undefined;
  /** True if someone deleted the parser in the meantime. */
  readonly isDeleted: boolean;
  readonly listPath: string;
  readonly readOnly: boolean;
  /** True if the draft is invalid. Stays false until the user has entered something. */
  readonly hasProblems: boolean;
}

/** Saves with the commands of the palette and the CLI, so undo, plans, and permissions are the same. */
export function useSave({ item, draft, saved, isDeleted, readOnly, hasProblems, listPath }: SaveOptions): Save {
  const t = useText('parser');
  const translate = useTranslate();
  const navigate = useNavigate();
  const context = useCommandContext();
  const [plannedSave, setPlannedSave] = useState<{
    readonly content: SavedContent;
    readonly preparedRun?: PreparedRun;
    readonly failure?: Message;
  }>();
  const { isChanged, simple } = draft;
  const base = useBase(saved, isChanged);
  const content = simple ?? draft.text;
  const invocation = invocationFor(item, draft);
  const savingCommand = directory().command(invocation.id);
  const status = savingCommand && context && availability(savingCommand, context);
  const reason = isDeleted
    ? t('bench.deleted')
    : readOnly
      ? t('bench.inherited')
      : status?.ok === false
        ? translate(status.reason.message)
        : hasProblems
          ? t(simple ? 'builder.fixFirst' : 'bench.fixFirst')
          : !isChanged
            ? t(simple && !item ? 'builder.fieldsFirst' : 'bench.unchanged')
            : simple && !item && simple.name.trim() === ''
              ? t('builder.nameFirst')
              : undefined;

  const run = async (): Promise<void> => {
    if (reason !== undefined) return;
    if (item) {
      const current = await loadSaved(item, saved);
      if (base.isOutdated || current !== saved) {
        base.accept(current);
        setPlannedSave({ content, failure: message('parser:bench.outdated') });
        return;
      }
    }
    const before = store.get(historyAtom).entries.at(-1);
    await invoke(invocation);
    const last = store.get(historyAtom).entries.at(-1);
    if (item) {
      if (last !== before) base.accept(await loadSaved(item, saved));
      return;
    }
    const created = last === before ? undefined : createdId(last?.run.inverse ?? []);
    if (created === undefined) return;
    draft.handOver(created, content);
    // Prefetch, so the bench of the new parser opens immediately and keeps what the user types in the meantime.
    await queryClient.prefetchQuery(benchQuery(contextNow().organization.id, created));
    await navigate({ to: '/$', params: { _splat: `${listPath.slice(1)}/${created}/update` } });
  };
  const plan = async (): Promise<void> => {
    if (reason !== undefined) return;
    const command = registry().command(invocation.id);
    if (!command) return;
    try {
      setPlannedSave({ content, preparedRun: await prepare(command, invocation.args, contextNow()) });
    } catch (error) {
      if (!isAbort(error)) setPlannedSave({ content, failure: commandFailure(error) });
    }
  };
  const outdatedFailure = item && base.isOutdated ? message('parser:bench.savedMeanwhile') : undefined;
  const isCurrent = plannedSave?.content === content && isChanged;
  /** True while a save runs. A second keystroke would upload a new parser again. */
  const isSaving = useRef(false);
  const runOnce = async (): Promise<void> => {
    if (isSaving.current) return;
    isSaving.current = true;
    await run().finally(() => {
      isSaving.current = false;
    });
  };
  return {
    run: () => void runOnce(),
    plan: () => void plan(),
    isChanged,
    reason,
    preparedRun: isCurrent ? plannedSave.preparedRun : undefined,
    failure: isCurrent && plannedSave.failure ? plannedSave.failure : outdatedFailure,
  };
}

/** Loads the saved definition. Returns the known one if the server can't be reached, which the command reports. */
async function loadSaved(item: ParserItem, known: string | undefined): Promise<string | undefined> {
  const query = benchQuery(contextNow().organization.id, idOf(item));
  try {
    const { definition } = await queryClient.fetchQuery({ ...query, staleTime: 0 });
    return definition;
  } catch {
    return known;
  }
}

/** Returns the command that saves a draft. */
function invocationFor(item: ParserItem | undefined, { text, simple, savedSimple }: Draft): Invocation {
  const target = item && { parsers: { ids: [idOf(item)] } };
  if (!simple) {
    return target
      ? { id: 'parser.edit', args: { ...target, definition: text } }
      : { id: 'parser.upload', args: { definition: text } };
  }
  const { defaultEndian, defaultTextEncoding: encoding } = simple;
  const args = {
    fields: formatSimple(simple),
    ...(defaultEndian === (savedSimple?.defaultEndian ?? Endian.DEFAULT)
      ? {}
      : { endian: enumName(Endian, defaultEndian) }),
    ...(encoding === savedSimple?.defaultTextEncoding ? {} : { encoding }),
  };
  return target
    ? { id: 'parser.set-fields', args: { ...target, ...args } }
    : { id: 'parser.create-simple', args: { name: simple.name, ...args } };
}

/** Returns the id of the parser that a run created, from the command that would undo it. */
function createdId(inverse: readonly Invocation[]): string | undefined {
  const target = inverse.find(({ id }) => id === 'parser.delete')?.args['parsers'];
  return typeof target === 'object' && 'ids' in target ? target.ids[0] : undefined;
}

interface SaveBarProps {
  readonly title: string;
  readonly isNew: boolean;
  /** True for a parser that is built field by field. */
  readonly isSimple: boolean;
  readonly save: Save;
  /** What saving would change for stored messages; undefined while that is unknown. */
  readonly comparison: Comparison | undefined;
}

/** Shows what saving would do, with its keys. */
export function SaveBar({ title, isNew, isSimple, save, comparison }: SaveBarProps) {
  const t = useText('parser');
  const translate = useTranslate();
  const keyHints = useKeyHints();
  const organization = useAtomValue(userSessionAtom)?.organization;
  const { preparedRun, failure, reason } = save;
  return (
    <div
      role="group"
      aria-label={t('bench.save')}
      className="sticky bottom-0 z-10 flex shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line-strong bg-surface-0 px-3 py-2"
    >
      <div className="min-w-0 flex-1">
        {preparedRun && organization ? (
          <PlanView preparedRun={preparedRun} organization={organization} />
        ) : (
          <p className="truncate">
            <span className="font-semibold">
              {isNew ? t(isSimple ? 'builder.create' : 'bench.upload') : t('bench.saveAs', { name: title })}
            </span>{' '}
            <span className="text-ink-3">{reason ?? ''}</span>
          </p>
        )}
        {failure && (
          <p role="alert" className="text-error-text">
            {translate(failure)}
          </p>
        )}
        {reason === undefined && comparison && comparison.verdicts.length > 0 && !isNew && (
          <Effects comparison={comparison} />
        )}
      </div>
      <Button
        onClick={save.plan}
        {...(reason === undefined ? {} : { disabledReason: reason })}
        keys={keyHints(directory().command('parser-bench.plan'))}
      >
        {t('bench.plan')}
      </Button>
      <Button
        tone="primary"
        onClick={save.run}
        {...(reason === undefined ? {} : { disabledReason: reason })}
        keys={keyHints(directory().command('parser-bench.save'))}
      >
        {t('bench.save')}
      </Button>
    </div>
  );
}

/** What saving would change for the stored messages that were compared. */
function Effects({ comparison: { counts, verdicts } }: { readonly comparison: Comparison }) {
  const t = useText('parser');
  const { nowFails, nowWorks, changed } = counts;
  const count = verdicts.length;
  return (
    <p className="flex flex-wrap gap-x-3 text-ink-3">
      {nowFails > 0 ? (
        <span className="text-error-text">{t('bench.wouldFail', { failing: nowFails, count })}</span>
      ) : (
        <span>{t('bench.wouldParse', { count })}</span>
      )}
      {nowWorks > 0 && <span className="text-ink-1">{t('bench.wouldWork', { count: nowWorks })}</span>}
      {changed > 0 && <span className="text-ink-1">{t('bench.wouldChange', { count: changed })}</span>}
    </p>
  );
}
