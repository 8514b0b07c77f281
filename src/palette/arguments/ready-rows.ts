import { optionName, printValue } from '#commands/line/line.ts';
import { commandLabels } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { changesNothing } from '#commands/model/plan.ts';
import type { PreparedRun } from '#commands/run/run.ts';
import { titleFor } from '#commands/run/title.ts';
import { message, type Message, type Translate } from '#commands/text/message.ts';
import { candidate, match, needle } from '#commands/text/score.ts';
import { isBareEditor, offeredParams, type Draft } from '#src/run/draft.ts';
import type { Group, Row } from '#src/search/rows.ts';

/** A row for a draft that has all required arguments. It runs the command or prompts for an optional param. */
export interface ReadyRow extends Row {
  readonly run?: true;
  readonly param?: string;
}

interface Listing {
  readonly context: Context;
  readonly translate: Translate;
  readonly t: (key: string, values?: Message['values']) => string;
  readonly preparedRun: PreparedRun | undefined;
}

/** The reason why a plan that changes nothing can't run. */
export const NOTHING_TO_CHANGE: Message = message('common:done.nothing');

/** Lists the run row and the optional params. The run row is first, so Enter runs the command. */
export function readyGroups({ command, args, text }: Draft, listing: Listing): readonly Group<ReadyRow>[] {
  const { context, translate, t, preparedRun } = listing;
  const confirm = preparedRun?.plan?.confirm;
  const needsConfirmation = confirm !== undefined && text.trim() !== confirm;
  const reason = changesNothing(preparedRun?.plan)
    ? translate(NOTHING_TO_CHANGE)
    : needsConfirmation
      ? t('palette.confirm', { text: confirm })
      : undefined;
  const run: ReadyRow = {
    id: 'run',
    label: translate(titleFor(command, args, context)),
    run: true,
    ...(reason === undefined ? {} : { reason }),
  };
  const pattern = needle(confirm === undefined ? text : '');
  const options = offeredParams(command, args).flatMap((name): ReadyRow[] => {
    const label = translate(commandLabels.param(command, name));
    const matchResult = match(candidate(label), pattern);
    if (!matchResult) return [];
    const value = args[name];
    const blockedReason = command.params[name]?.blockedReason?.(context);
    return [
      {
        id: `param ${name}`,
        param: name,
        label,
        ranges: matchResult.ranges,
        detail: value === undefined ? `--${optionName(name)}` : printValue(command.params[name]!, value),
        ...(blockedReason ? { reason: translate(blockedReason) } : {}),
      },
    ];
  });
  const runRows = (confirm !== undefined || text === '') && !isBareEditor(command, args) ? [run] : [];
  return [
    { id: 'run', rows: runRows },
    { id: 'options', heading: t('palette.group.options'), rows: options },
  ];
}
