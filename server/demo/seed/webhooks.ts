import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { NewWebhook } from '#server/publishing/targets/webhook/rows.ts';

import { demoPeople } from './people.ts';

/** Generates two webhooks, so the list isn't empty. They are disabled because their addresses are fictional. */
export function seedWebhooks(organization: string, now: Date): NewWebhook[] {
  const createdBy = demoPeople.find(({ kind }) => kind === 'developer')?.id ?? '';
  const commonFields = {
    organization,
    disabled: true,
    createdBy,
    createdAt: new Date(now.getTime() - 40 * 86_400_000),
  };
  return [
    {
      ...commonFields,
      id: 1,
      description: 'Production historian',
      url: 'https://historian.northwind.example/ingest',
      contentType: 2,
      eventFilter: { include: [EventType.MESSAGE_RECEIVED], exclude: [] },
      healthLevels: [],
    },
    {
      ...commonFields,
      id: 2,
      description: 'Maintenance tickets',
      url: 'https://tickets.northwind.example/hooks/fleet',
      contentType: 1,
      eventFilter: { include: [EventType.ALARM_TRIGGERED, EventType.PUBLISHER_FAILED], exclude: [] },
      healthLevels: ['Alarm'],
    },
  ];
}
