import { command, type Command } from '#commands/model/command.ts';
import type { Destination } from '#commands/registry/destinations.ts';
import { message, type Message } from '#commands/text/message.ts';
import { formatMoment, MOMENT_FORMATS } from '#commands/text/moment.ts';
import { p, required } from '#commands/model/params.ts';
import type { Preferences } from '#commands/model/context.ts';
import { FIRST_DAYS } from '#commands/model/time.ts';
import { defaultScreen, firstDay, momentFormat } from '#commands/session/preferences.ts';
import { changeSetting, currentPreferences } from './settings.ts';

interface Setting<Name extends string> {
  readonly verb: `set-${string}`;
  readonly param: string;
  /** Its key in the settings that the contract keeps for the web client. */
  readonly key: string;
  readonly options: readonly Name[];
  readonly label: (option: string) => Message;
  readonly now: (preferences: Preferences) => string;
}

/** A command that sets one of the settings kept with the user, and leaves the others as they are. */
function settingCommand<Name extends string>({ verb, param, key, options, label, now }: Setting<Name>): Command {
  const id = `me.${verb}` as const;
  const choice = required(p.choice(options, { label }));
  const wanted = (args: Readonly<Record<string, unknown>>): string => args[param] as string;
  const isOption = (value: string): boolean => (options as readonly string[]).includes(value);
  return command({
    id,
    requires: 'UPDATE_SELF',
    effect: 'write',
    params: { [param]: choice },
    positional: [param],
    initial: async (context) => {
      const value = now(await currentPreferences(context));
      return { values: isOption(value) ? { [param]: value } : {} };
    },
    plan: async (context, args) => {
      const before = now(await currentPreferences(context));
      return {
        summary: message(`me:plan.${verb}`, { value: label(wanted(args)) }),
        count: 1,
        changes: [
          {
            id: context.actor.id,
            label: context.actor.name,
            field: message(`me:fields.${key}`),
            before: isOption(before) ? label(before) : undefined,
            after: label(wanted(args)),
          },
        ],
        // What was never set, or is no longer offered, cannot be set again.
        reversible: isOption(before),
        harmless: true,
      };
    },
    run: async (context, args) => {
      const before = now(await currentPreferences(context));
      await changeSetting(context, key, wanted(args));
      return { changed: ['me'], message: message(`me:done.${verb}`, { value: label(wanted(args)) }), data: { before } };
    },
    inverse: (_args, { data }) => {
      const { before } = data as { before: string };
      return isOption(before) ? [{ id, args: { [param]: before } }] : [];
    },
  });
}

/** `destinations` are the screens of the product: any of them can be opened first. */
export function setDefaultScreen(destinations: readonly Destination[]): Command {
  const titles = new Map(destinations.map(({ screen, title }) => [screen.path as string, title]));
  return settingCommand({
    verb: 'set-default-screen',
    param: 'screen',
    key: 'defaultScreen',
    options: [...titles.keys()],
    label: (path) => titles.get(path) ?? message('me:unknownScreen', { path }),
    now: defaultScreen,
  });
}

/** A moment that shows which number is which. */
const EXAMPLE = new Date(2026, 11, 31, 17, 5, 9).getTime();

/** A format by what it makes of the example. */
export function momentText(format: string = MOMENT_FORMATS[0]): Message {
  const example = formatMoment(
    EXAMPLE,
    MOMENT_FORMATS.find((item) => item === format),
  );
  return message('me:dateFormat', { example });
}

export const setDateFormat = settingCommand({
  verb: 'set-date-format',
  param: 'format',
  key: 'dateTimeFormat',
  options: MOMENT_FORMATS,
  label: momentText,
  now: (preferences) => momentFormat(preferences) ?? MOMENT_FORMATS[0],
});

export const setWeekStart = settingCommand({
  verb: 'set-week-start',
  param: 'day',
  key: 'firstDayOfWeek',
  options: FIRST_DAYS,
  label: (day) => message(`me:day.${day}`),
  now: firstDay,
});
