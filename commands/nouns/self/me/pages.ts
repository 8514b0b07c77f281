import { toJson } from '@bufbuild/protobuf';

import type { Preferences } from '#commands/model/context.ts';
import { page } from '#commands/model/page.ts';
import { USER } from '#commands/nouns/tab-groups.ts';
import { defaultScreen, firstDay, momentFormat } from '#commands/session/preferences.ts';
import { message } from '#commands/text/message.ts';
import { EmailNotificationPreferencesSchema } from '#proto/gen/hiber/email_pb.ts';
import { UnitPreferencesSchema, type UnitPreferences } from '#proto/gen/hiber/unit_preferences_pb.ts';

import { decimalDetails } from './decimals.ts';
import { emailHistory } from './email-history.ts';
import { emailDetails, loadEmailSettings } from './email.ts';
import { momentText } from './preferences.ts';
import { loadPreferences } from './settings.ts';
import { loadUnitPreferences } from './unit-preferences.ts';
import { unitDetails } from './units.ts';

interface General {
  readonly units: UnitPreferences;
  readonly preferences: Preferences;
}

export const general = page<General>({
  noun: 'me',
  name: 'preferences',
  screen: { path: '/user/general', aliases: ['/settings/general'], key: 'g ,', tabs: USER },
  changedBy: ['me'],
  load: async (context) => ({
    units: await loadUnitPreferences(context),
    preferences: await loadPreferences(context),
  }),
  json: ({ units, preferences }) => ({ preferences, units: toJson(UnitPreferencesSchema, units) }),
  sections: [
    {
      id: 'look',
      hint: true,
      actions: [
        { command: 'app.theme', as: 'instant' },
        { command: 'app.density', as: 'instant' },
        { command: 'app.language', as: 'instant' },
        { command: 'app.single-keys', as: 'instant' },
      ],
    },
    {
      id: 'dates',
      hint: true,
      details: [
        {
          id: 'dateFormat',
          kind: 'text',
          value: ({ preferences }) => momentText(momentFormat(preferences)),
        },
        { id: 'weekStart', kind: 'text', value: ({ preferences }) => message(`me:day.${firstDay(preferences)}`) },
      ],
      actions: [
        { command: 'me.set-date-format', as: 'instant' },
        { command: 'me.set-week-start', as: 'instant' },
      ],
    },
    {
      id: 'start',
      hint: true,
      details: [{ id: 'screen', kind: 'text', value: ({ preferences }) => defaultScreen(preferences) }],
      actions: [{ command: 'me.set-default-screen', as: 'instant' }],
    },
    { id: 'units', hint: true, details: unitDetails, actions: [{ command: 'me.set-units', as: 'instant' }] },
    { id: 'decimals', hint: true, details: decimalDetails, actions: [{ command: 'me.set-decimals', as: 'button' }] },
  ],
});

export const emailPreferences = page({
  noun: 'me',
  name: 'email-preferences',
  screen: { path: '/user/email-preferences', aliases: ['/settings/email-preferences'], key: 'g l', tabs: USER },
  changedBy: ['email', 'me'],
  load: loadEmailSettings,
  json: ({ preferences }) => toJson(EmailNotificationPreferencesSchema, preferences),
  sections: [
    {
      id: 'now',
      hint: true,
      details: emailDetails,
      actions: [
        { command: 'me.start-emails', as: 'button', when: ({ preferences }) => !preferences.active },
        { command: 'me.stop-emails', as: 'button', when: ({ preferences }) => preferences.active },
      ],
    },
    {
      id: 'filters',
      hint: true,
      actions: [{ command: 'me.set-emails', as: 'form', when: ({ preferences }) => preferences.active }],
    },
    { id: 'history', detailTabs: [emailHistory] },
  ],
});
