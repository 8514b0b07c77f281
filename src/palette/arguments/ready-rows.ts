import { texts as commandTexts } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { optionName, printValue } from '#commands/line/line.ts';
import { message, type Message, type Translate } from '#commands/text/message.ts';
import { changesNothing } from '#commands/model/plan.ts';
import type { Prepared } from '#commands/run/run.ts';
import { titleFor } from '#commands/run/title.ts';

import { isBareEditor, type Draft } from '#src/run/draft.ts';
import type { Group, Row } from '#src/search/rows.ts';
import { candidate, match, needle } from '#commands/text/score.ts';

/** A row shown when nothing is missing: it runs the command, or adds a param that may be left out. */
export interface ReadyRow extends Row {
  readonly run?: true;
  readonly param?: string;
}

interface Listing {
  readonly context: Context;
  readonly say: Translate;
  readonly texts: (key: string, values?: Message['values']) => string;
  readonly prepared: Prepared | undefined;
}

/** Why a plan that leaves everything as it is does not run. */
export const NOTHING_TO_CHANGE: Message = message('common:done.nothing');

/** Running stands first, so that Enter runs; below it what else can be said. */
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
    .filter(([, param]) => !param.required)
    .flatMap(([name, param]): ReadyRow[] => {
      const label = say(commandTexts.param(command, name));
      const found = match(candidate(label), typed);
      if (!found) return [];
      const value = args[name];
      const blocked = param.blocked?.(context);
      return [
        {
          id: `param ${name}`,
          param: name,
          label,
          ranges: found.ranges,
          detail: value === undefined ? `--${optionName(name)}` : printValue(param, value),
          ...(blocked ? { reason: say(blocked) } : {}),
        },
      ];
    });
  const runs = (confirm !== undefined || text === '') && !isBareEditor(command, args) ? [run] : [];
  return [
    { id: 'run', rows: runs },
    { id: 'options', heading: texts('palette.group.options'), rows: options },
  ];
}
