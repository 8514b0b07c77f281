import { create } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import { and, desc, eq, sql } from 'drizzle-orm';
import {
  CountMessages_RequestSchema,
  CountMessages_ResponseSchema,
  ListMessages_RequestSchema,
  ListMessages_ResponseSchema,
  type MessageService,
} from '#proto/hiber/message_pb';
import type { App } from '../app.ts';
import { device } from '../db/schema/device.ts';
import { message } from '../db/schema/message.ts';
import { deviceTags } from '../events/subject.ts';
import { scope } from '../session/scope.ts';
import { presentMessage } from './message/present.ts';
import { messageWhere } from './message/selection.ts';
import { zoneOf } from './message/zone.ts';
import { approximateTotal } from './shared/approximate-total.ts';
import { effectivePagination, page, paginationResult } from './shared/pagination.ts';

/** Every message belongs to a device; those of devices that are gone or hidden are not shown. */
const withDevice = and(eq(device.organization, message.organization), eq(device.number, message.number));

export function messageService(app: App): ServiceImpl<typeof MessageService> {
  return {
    /** Newest first by the time they were sent; without a time range, everything that is kept (neither is stated). */
    async list(request, context) {
      const caller = scope(context);
      const asked = page(request.pagination);
      const { orm } = app.db;
      const where = await messageWhere(orm, caller, request.selection, app.now());
      const rows = await orm
        .select({ row: message, name: device.name, externalIds: device.externalIds, timeZone: device.timeZone })
        .from(message)
        .innerJoin(device, withDevice)
        .where(where)
        .orderBy(desc(message.sentAt), desc(message.id))
        .limit(asked.limit)
        .offset(asked.offset);
      const tags = await deviceTags(orm, caller.organization, [...new Set(rows.map(({ row }) => row.number))]);
      const from = sql`${message} join ${device} on ${withDevice} where ${where}`;
      const { total, approximated } = await approximateTotal(orm, from, asked, rows.length);
      return create(ListMessages_ResponseSchema, {
        messages: rows.map((found) => presentMessage(found, tags.get(found.row.number) ?? [])),
        request: create(ListMessages_RequestSchema, {
          ...request,
          organization: caller.organization,
          pagination: effectivePagination(asked),
        }),
        pagination: paginationResult(asked, total, approximated),
      });
    },

    /** Days without messages are left out (not stated). */
    async count(request, context) {
      const caller = scope(context);
      const where = await messageWhere(app.db.orm, caller, request.selection, app.now());
      const day = sql<string>`to_char(${message.sentAt} at time zone ${zoneOf(request)}, 'YYYY-MM-DD')`;
      const rows = await app.db.orm
        .select({ day: sql<string>`day`, count: sql<number>`count(*)::int` })
        .from(
          app.db.orm
            .select({ day: day.as('day') })
            .from(message)
            .innerJoin(device, withDevice)
            .where(where)
            .as('days'),
        )
        .groupBy(sql`day`)
        .orderBy(sql`day`);
      return create(CountMessages_ResponseSchema, {
        messageCountPerDay: rows.map((row) => {
          const [year = 0, month = 0, date = 0] = row.day.split('-').map(Number);
          return { date: { year, month, day: date, textual: row.day }, count: row.count };
        }),
        request: create(CountMessages_RequestSchema, { ...request, organization: caller.organization }),
      });
    },
  };
}
