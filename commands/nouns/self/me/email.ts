import {
  EmailNotificationPreferencesService,
  type EmailNotificationHistoryRequest_Response_Email as Email,
  type EmailNotificationPreferences,
} from '#proto/gen/hiber/email_pb.ts';
import { command, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Column, DetailField } from '#commands/model/column.ts';
import type { DetailTab } from '#commands/model/entity.ts';
import { EVENTS, eventNames, eventTypes } from '#commands/kit/event-types.ts';
import type { Args } from '#commands/model/invocation.ts';
import { listed, message, type Message } from '#commands/text/message.ts';
import { p } from '#commands/model/params.ts';
import { historyNarrowing, historySelection } from '#commands/kit/history-narrowing.ts';
import { WHOLE } from '#commands/model/narrowing.ts';
import { msOf, textOf } from '#commands/model/wire.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import { suggestLevels } from '#commands/nouns/signals/health-level/entity.ts';
import { tag } from '#commands/nouns/fleet/tag/entity.ts';

/**
 * What one is mailed about in the organization one acts for, with the names of the tags: the contract has their ids
 * only.
 */
export interface EmailChoice {
  readonly preferences: EmailNotificationPreferences;
  readonly tagNames: readonly string[];
}

export async function emailChoice(context: Context): Promise<EmailChoice> {
  const request = { organization: context.organization.id };
  const preferences = await context.api(EmailNotificationPreferencesService).view(request, { signal: context.signal });
  const ids = (preferences.filterTags?.include ?? []).map(String);
  const tags = ids.length > 0 ? await tag.byIds(context, ids) : [];
  return { preferences, tagNames: tags.map((item) => tag.label(item)) };
}

/** The arguments that would make it what it is. */
function argsOf({ preferences, tagNames }: EmailChoice): Args {
  return {
    events: eventNames(preferences.enabledNotifications?.include ?? []),
    devices: preferences.filterModems?.include ?? [],
    tags: tagNames,
    healthLevels: preferences.filterHealthLevels,
  };
}

const eventText = (name: string): Message => message(`event:type.${name}`);

/** An empty list is everything (contract: EmailNotificationPreferencesService). */
const orAll = (texts: readonly string[]): string | Message =>
  texts.length > 0 ? texts.join(', ') : message('me:email.everything');

function eventsText({ preferences }: EmailChoice): Message {
  const events = eventNames(preferences.enabledNotifications?.include ?? []);
  return listed(events.map(eventText)) ?? message('me:email.everything');
}

/** Filters say nothing while no mail is sent. */
const whileActive =
  (value: (choice: EmailChoice) => string | Message): DetailField<EmailChoice>['value'] =>
  (choice) =>
    choice.preferences.active ? value(choice) : undefined;

export const emailDetails: readonly DetailField<EmailChoice>[] = [
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
    value: whileActive(({ preferences }) => orAll(preferences.filterModems?.include ?? [])),
  },
  { id: 'tags', kind: 'text', value: whileActive(({ tagNames }) => orAll(tagNames)) },
  { id: 'healthLevels', kind: 'text', value: whileActive(({ preferences }) => orAll(preferences.filterHealthLevels)) },
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
  initial: async (context) => ({ values: argsOf(await emailChoice(context)) }),
  plan: async (context, args) => {
    const before = argsOf(await emailChoice(context));
    const after: Args = { ...args, devices: args.devices?.map(device.id), tags: args.tags?.map(tag.label) };
    const names = (args: Args, name: string): readonly string[] => (args[name] as readonly string[] | undefined) ?? [];
    const without = (some: readonly string[], others: readonly string[]) =>
      some.filter((value) => !others.includes(value));
    const changes = FILTERS.filter((name) => after[name] !== undefined).map((name) => {
      const [was, becomes] = [names(before, name), names(after, name)];
      const text = (value: string): string | Message => (name === 'events' ? eventText(value) : value);
      return {
        id: name,
        label: context.actor.email,
        field: message(`me:fields.${name}`),
        added: without(becomes, was).map(text),
        removed: without(was, becomes).map(text),
      };
    });
    const changing = changes.filter(({ added, removed }) => added.length + removed.length > 0);
    return {
      summary: message('me:plan.set-emails', { count: changing.length }),
      count: 1,
      changes: changing,
      reversible: true,
    };
  },
  run: async (context, { events, devices, tags, healthLevels }) => {
    const before = await emailChoice(context);
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
  inverse: (_args, { data }) => formerly(data as EmailChoice),
});

/** Mails about everything: the filters come afterwards. */
const startEmails = command({
  id: 'me.start-emails',
  requires: 'UPDATE_SELF',
  effect: 'write',
  plan: async (context) => {
    const { preferences } = await emailChoice(context);
    return {
      summary: message('me:plan.start-emails'),
      count: 1,
      changes: [],
      ...(preferences.active ? { notes: [message('me:plan.filtersGo')] } : {}),
      reversible: true,
    };
  },
  run: async (context) => {
    const before = await emailChoice(context);
    const request = { organization: context.organization.id, enabledNotifications: {} };
    await context.api(EmailNotificationPreferencesService).update(request, { signal: context.signal });
    return { changed: ['email'], message: message('me:done.start-emails'), data: before };
  },
  inverse: (_args, { data }) => formerly(data as EmailChoice),
});

const stopEmails = command({
  id: 'me.stop-emails',
  requires: 'UPDATE_SELF',
  effect: 'write',
  plan: async (context) => {
    const { preferences } = await emailChoice(context);
    return {
      summary: message('me:plan.stop-emails'),
      count: 1,
      changes: [],
      notes: [message('me:plan.filtersGo')],
      reversible: preferences.active,
    };
  },
  run: async (context) => {
    const before = await emailChoice(context);
    const request = { organization: context.organization.id };
    await context.api(EmailNotificationPreferencesService).delete(request, { signal: context.signal });
    return { changed: ['email'], message: message('me:done.stop-emails'), data: before };
  },
  inverse: (_args, { data }) => formerly(data as EmailChoice),
});

function formerly(before: EmailChoice) {
  const id = before.preferences.active ? 'me.set-emails' : 'me.stop-emails';
  return [{ id, args: before.preferences.active ? argsOf(before) : {} }];
}

const LAST = 100;

const columns: readonly Column<Email>[] = [
  { id: 'time', kind: 'time', width: 170, value: ({ time }) => textOf(time), at: ({ time }) => msOf(time) },
  { id: 'title', kind: 'text', width: 200, grow: 2, value: ({ title }) => title },
  {
    id: 'result',
    kind: 'status',
    width: 160,
    grow: 1,
    value: ({ successful, error }) => (successful ? message('me:email.sent') : error || message('me:email.failed')),
    level: ({ successful }) => (successful ? 'ok' : 'error'),
  },
];

/** The newest mails, sent or failed. */
export const emailHistory: DetailTab<EmailChoice> = {
  id: 'history',
  requires: 'PUBLISHERS',
  columns,
  limit: LAST,
  pages: true,
  narrow: historyNarrowing,
  load: async (context, _choice, { page, narrow } = WHOLE) => {
    const request = {
      organization: context.organization.id,
      selection: historySelection(context, narrow),
      pagination: { page, size: LAST },
    };
    const service = context.api(EmailNotificationPreferencesService);
    return (await service.history(request, { signal: context.signal })).emails;
  },
  key: (row) => {
    const { time, title } = row as Email;
    return `${msOf(time) ?? 0} ${title}`;
  },
};

export const emailCommands: readonly Command[] = [setEmails, startEmails, stopEmails];
