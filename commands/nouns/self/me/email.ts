import { EVENTS, eventNames, eventTypes } from '#commands/kit/event-types.ts';
import type { DetailField } from '#commands/model/column.ts';
import { command, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import { p } from '#commands/model/params.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import { tag } from '#commands/nouns/fleet/tag/entity.ts';
import { suggestLevels } from '#commands/nouns/signals/health-level/entity.ts';
import { listMessage, message, type Message } from '#commands/text/message.ts';
import { EmailNotificationPreferencesService, type EmailNotificationPreferences } from '#proto/gen/hiber/email_pb.ts';

/**
 * The user's email notification settings in the current organization. Includes the tag names, because the contract
 * returns only tag ids.
 */
export interface EmailSettings {
  readonly preferences: EmailNotificationPreferences;
  readonly tagNames: readonly string[];
}

export async function loadEmailSettings(context: Context): Promise<EmailSettings> {
  const request = { organization: context.organization.id };
  const preferences = await context.api(EmailNotificationPreferencesService).view(request, { signal: context.signal });
  const ids = (preferences.filterTags?.include ?? []).map(String);
  const tags = ids.length > 0 ? await tag.byIds(context, ids) : [];
  return { preferences, tagNames: tags.map((item) => tag.label(item)) };
}

/** Returns the arguments that reproduce the current settings. */
function toArgs({ preferences, tagNames }: EmailSettings): Args {
  return {
    events: eventNames(preferences.enabledNotifications?.include ?? []),
    devices: preferences.filterModems?.include ?? [],
    tags: tagNames,
    healthLevels: preferences.filterHealthLevels,
  };
}

const eventText = (name: string): Message => message(`event:type.${name}`);

/** An empty list means everything (contract: EmailNotificationPreferencesService). */
const listOrEverything = (values: readonly string[]): string | Message =>
  values.length > 0 ? values.join(', ') : message('me:email.everything');

function eventsText({ preferences }: EmailSettings): Message {
  const events = eventNames(preferences.enabledNotifications?.include ?? []);
  return listMessage(events.map(eventText)) ?? message('me:email.everything');
}

/** Hides a filter's value while emails are turned off. */
const whileActive =
  (value: (settings: EmailSettings) => string | Message): DetailField<EmailSettings>['value'] =>
  (settings) =>
    settings.preferences.active ? value(settings) : undefined;

export const emailDetails: readonly DetailField<EmailSettings>[] = [
  {
    id: 'active',
    kind: 'status',
    value: ({ preferences: { active } }) => message(active ? 'me:email.on' : 'me:email.off'),
    level: ({ preferences: { active } }) => (active ? 'ok' : 'none'),
  },
  { id: 'events', kind: 'text', value: whileActive(eventsText) },
  {
    id: 'devices',
    kind: 'text',
    value: whileActive(({ preferences }) => listOrEverything(preferences.filterModems?.include ?? [])),
  },
  { id: 'tags', kind: 'text', value: whileActive(({ tagNames }) => listOrEverything(tagNames)) },
  {
    id: 'healthLevels',
    kind: 'text',
    value: whileActive(({ preferences }) => listOrEverything(preferences.filterHealthLevels)),
  },
];

const FILTERS = ['events', 'devices', 'tags', 'healthLevels'] as const;

const setEmails = command({
  id: 'me.set-emails',
  requires: 'UPDATE_SELF',
  effect: 'write',
  params: {
    events: p.choices(EVENTS, { label: eventText }),
    devices: p.refs(() => device),
    tags: p.refs(() => tag),
    healthLevels: p.words({ suggest: suggestLevels }),
  },
  initial: async (context) => ({ values: toArgs(await loadEmailSettings(context)) }),
  plan: async (context, args) => {
    const settings = await loadEmailSettings(context);
    const before = toArgs(settings);
    const after: Args = { ...args, devices: args.devices?.map(device.id), tags: args.tags?.map(tag.label) };
    const names = (args: Args, name: string): readonly string[] => (args[name] as readonly string[] | undefined) ?? [];
    const difference = (values: readonly string[], excluded: readonly string[]) =>
      values.filter((value) => !excluded.includes(value));
    const changes = FILTERS.filter((name) => after[name] !== undefined).map((name) => {
      const [current, next] = [names(before, name), names(after, name)];
      const text = (value: string): string | Message => (name === 'events' ? eventText(value) : value);
      return {
        id: name,
        label: context.actor.email,
        field: message(`me:fields.${name}`),
        added: difference(next, current).map(text),
        removed: difference(current, next).map(text),
      };
    });
    const realChanges = changes.filter(({ added, removed }) => added.length + removed.length > 0);
    return {
      summary: message('me:plan.set-emails', { count: realChanges.length }),
      // Setting a filter also turns emails on.
      count: Number(realChanges.length > 0 || !settings.preferences.active),
      changes: realChanges,
      reversible: true,
    };
  },
  run: async (context, { events, devices, tags, healthLevels }) => {
    const before = await loadEmailSettings(context);
    const levels = before.preferences.filterHealthLevels;
    await context.api(EmailNotificationPreferencesService).update(
      {
        organization: context.organization.id,
        ...(events ? { enabledNotifications: { include: eventTypes(events) } } : {}),
        ...(devices ? { filterModems: { include: devices.map(device.id) } } : {}),
        ...(tags ? { filterTags: { include: tags.map((item) => item.tag.id) } } : {}),
        addHealthLevelsToFilter: healthLevels?.filter((level) => !levels.includes(level)) ?? [],
        removeHealthLevelsFromFilter: healthLevels ? levels.filter((level) => !healthLevels.includes(level)) : [],
      },
      { signal: context.signal },
    );
    return { changed: ['email'], message: message('me:done.set-emails'), data: before };
  },
  inverse: (_args, { data }) => restore(data as EmailSettings),
});

/** Turns on emails about all events. The user can set filters afterwards. */
const startEmails = command({
  id: 'me.start-emails',
  requires: 'UPDATE_SELF',
  effect: 'write',
  plan: async (context) => {
    const { preferences } = await loadEmailSettings(context);
    return {
      summary: message('me:plan.start-emails'),
      count: 1,
      changes: [],
      ...(preferences.active ? { notes: [message('me:plan.filtersCleared')] } : {}),
      reversible: true,
    };
  },
  run: async (context) => {
    const before = await loadEmailSettings(context);
    const request = { organization: context.organization.id, enabledNotifications: {} };
    await context.api(EmailNotificationPreferencesService).update(request, { signal: context.signal });
    return { changed: ['email'], message: message('me:done.start-emails'), data: before };
  },
  inverse: (_args, { data }) => restore(data as EmailSettings),
});

const stopEmails = command({
  id: 'me.stop-emails',
  requires: 'UPDATE_SELF',
  effect: 'write',
  plan: async (context) => {
    const { preferences } = await loadEmailSettings(context);
    return {
      summary: message('me:plan.stop-emails'),
      count: 1,
      changes: [],
      notes: [message('me:plan.filtersCleared')],
      reversible: preferences.active,
    };
  },
  run: async (context) => {
    const before = await loadEmailSettings(context);
    const request = { organization: context.organization.id };
    await context.api(EmailNotificationPreferencesService).delete(request, { signal: context.signal });
    return { changed: ['email'], message: message('me:done.stop-emails'), data: before };
  },
  inverse: (_args, { data }) => restore(data as EmailSettings),
});

function restore(before: EmailSettings) {
  const id = before.preferences.active ? 'me.set-emails' : 'me.stop-emails';
  return [{ id, args: before.preferences.active ? toArgs(before) : {} }];
}

export const emailCommands: readonly Command[] = [setEmails, startEmails, stopEmails];
