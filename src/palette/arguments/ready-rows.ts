import { optionName, printValue } from '#commands/line/line.ts';
import { texts as commandTexts } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { Params } from '#commands/model/kinds.ts';
import { changesNothing } from '#commands/model/plan.ts';
import type { PreparedRun } from '#commands/run/run.ts';
import { titleFor } from '#commands/run/title.ts';
import { message, type Message, type Translate } from '#commands/text/message.ts';
import { candidate, match, needle } from '#commands/text/score.ts';
import { isBareEditor, type Draft } from '#src/run/draft.ts';
import type { Group, Row } from '#src/search/rows.ts';

/** A row shown once all required params are set: it runs the command, or adds an optional param. */
export interface ReadyRow extends Row {
  readonly run?: true;
  readonly param?: string;
}

interface Listing {
  readonly context: Context;
  readonly say: Translate;
  readonly texts: (key: string, values?: Message['values']) => string;
  readonly prepared: PreparedRun | undefined;
}

/** The reason shown for a plan without changes, which cannot run. */
export const NOTHING_TO_CHANGE: Message = message('common:done.nothing');

/**
 * True for a flag that is not needed, because the param that it would replace has a value: `--without-roles` once roles
 * are chosen.
 */
function isObsolete(flag: string, params: Params, args: Args): boolean {
  return Object.entries(params).some(([name, { unless }]) => unless === flag && args[name] !== undefined);
}

/** Lists the run row (first, so that Enter runs it), then the optional params. */
export function readyGroups({ command, args, text }: Draft, listing: Listing): readonly Group<ReadyRow>[] {
  const { context, say, texts, prepared } = listing;
  const confirm = prepared?.plan?.confirm;
  const unconfirmed = confirm !== undefined && text.trim() !== confirm;
  const reason = changesNothing(prepared?.plan)
    ? say(NOTHING_TO_CHANGE)
    : unconfirmed
      ? texts('palette.confirm', { text: confirm })
      : undefined;
  const run: ReadyRow = {
    id: 'run',
    label: say(titleFor(command, args, context)),
    run: true,
    ...(reason === undefined ? {} : { reason }),
  };
  const typed = needle(confirm === undefined ? text : '');
  const options = Object.entries(command.params)
    .filter(([name, param]) => !param.required && !isObsolete(name, command.params, args))
    .flatMap(([name, param]): ReadyRow[] => {
      const label = say(commandTexts.param(command, name));
      const hit = match(candidate(label), typed);
      if (!hit) return [];
      const value = args[name];
      const blocked = param.blocked?.(context);
      return [
        {
          id: `param ${name}`,
          param: name,
          label,
          ranges: hit.ranges,
          detail: value === undefined ? `--${optionName(name)}` : printValue(param, value),
          ...(blocked ? { reason: say(blocked) } : {}),
        },
      ];
    });
  const runRows = (confirm !== undefined || text === '') && !isBareEditor(command, args) ? [run] : [];
  return [
    { id: 'run', rows: runRows },
    { id: 'options', heading: texts('palette.group.options'), rows: options },
  ];
}
