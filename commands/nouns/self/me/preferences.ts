import { command, type Command } from '#commands/model/command.ts';
import type { Context, Preferences } from '#commands/model/context.ts';
import { p, required } from '#commands/model/params.ts';
import { FIRST_DAYS } from '#commands/model/time.ts';
import type { Destination } from '#commands/registry/destinations.ts';
import { featureMessage, permissionMessage } from '#commands/run/availability.ts';
import { defaultScreen, firstDay, momentFormat } from '#commands/session/preferences.ts';
import { message, type Message } from '#commands/text/message.ts';
import { formatMoment, MOMENT_FORMATS } from '#commands/text/moment.ts';

import { changeSetting, loadPreferences } from './settings.ts';

interface Setting<Name extends string> {
  readonly verb: `set-${string}`;
  readonly param: string;
  /** The key in the web client settings that the contract stores. */
  readonly key: string;
  readonly options: readonly Name[];
  readonly label: (option: string) => Message;
  readonly current: (preferences: Preferences) => string;
  /** Set if the options are the names of other things. */
  readonly namesOtherThings?: true;
  /** Returns the reason why this user can't choose an option. */
  readonly check?: (option: string, context: Context) => Message | undefined;
}

/** Returns a command that changes one stored setting and keeps all others. */
function settingCommand<Name extends string>({
  verb,
  param,
  key,
  options,
  label,
  current,
  ...rules
}: Setting<Name>): Command {
  const id = `me.${verb}` as const;
  const choice = required(p.choice(options, { label, ...rules }));
  const optionOf = (args: Readonly<Record<string, unknown>>): string => args[param] as string;
  const isOption = (value: string): boolean => (options as readonly string[]).includes(value);
  return command({
    id,
    requires: 'UPDATE_SELF',
    effect: 'write',
    params: { [param]: choice },
    positional: [param],
    derivedMessages: [message(`me:plan.${verb}`), message(`me:done.${verb}`), message(`me:fields.${key}`)],
    initial: async (context) => {
      const value = current(await loadPreferences(context));
      return { values: isOption(value) ? { [param]: value } : {} };
    },
    plan: async (context, args) => {
      const before = current(await loadPreferences(context));
      return {
        summary: message(`me:plan.${verb}`, { value: label(optionOf(args)) }),
        count: Number(before !== optionOf(args)),
        changes: [
          {
            id: context.actor.id,
            label: context.actor.name,
            field: message(`me:fields.${key}`),
            before: isOption(before) ? label(before) : undefined,
            after: label(optionOf(args)),
          },
        ],
        // Undo can restore only a value that is still an option.
        reversible: isOption(before),
        harmless: true,
      };
    },
    run: async (context, args) => {
      const before = current(await loadPreferences(context));
      await changeSetting(context, key, optionOf(args));
      return {
        changed: ['me'],
        message: message(`me:done.${verb}`, { value: label(optionOf(args)) }),
        data: { before },
      };
    },
    inverse: (_args, { data }) => {
      const { before } = data as { before: string };
      return isOption(before) ? [{ id, args: { [param]: before } }] : [];
    },
  });
}

/** Returns the command that sets the default screen to one of the console's screens. */
export function setDefaultScreen(destinations: readonly Destination[]): Command {
  const titles = new Map(
    destinations.map(({ screen, title }) => [
      screen.path as string,
      // Several groups have screens whose titles are clear only next to the group's, such as “Inbound” of transfers.
      screen.tabs ? message('me:screenInGroup', { group: screen.tabs.title, screen: title }) : title,
    ]),
  );
  return settingCommand({
    verb: 'set-default-screen',
    param: 'screen',
    key: 'defaultScreen',
    options: [...titles.keys()],
    label: (path) => titles.get(path) ?? message('me:unknownScreen', { path }),
    current: defaultScreen,
    namesOtherThings: true,
    check: (path, context) => {
      const destination = destinations.find(({ screen }) => screen.path === path);
      return destination && closedReason(destination, context);
    },
  });
}

/** Returns the reason why the user can't open a screen. */
function closedReason({ requires, features }: Destination, { actor, organization }: Context): Message | undefined {
  if (requires && !actor.abilities.has(requires)) return permissionMessage(requires);
  const feature = features.find((value) => !organization.features.has(value));
  return feature === undefined ? undefined : featureMessage(feature);
}

/** An example date. Its parts are all different numbers, which makes their order clear. */
const EXAMPLE = new Date(2026, 11, 31, 17, 5, 9).getTime();

/** Returns an example of a date format. */
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
  current: (preferences) => momentFormat(preferences) ?? MOMENT_FORMATS[0],
});

export const setWeekStart = settingCommand({
  verb: 'set-week-start',
  param: 'day',
  key: 'firstDayOfWeek',
  options: FIRST_DAYS,
  label: (day) => message(`me:day.${day}`),
  current: firstDay,
});
