import { create } from '@bufbuild/protobuf';
import { sql } from 'drizzle-orm';

import {
  CountMessages_RequestSchema,
  CountMessages_ResponseSchema,
  ListMessages_RequestSchema,
  ListMessages_ResponseSchema,
  MessageService,
} from '#proto/gen/hiber/message_pb.ts';
import { service } from '#server/app/service.ts';
import { device } from '#server/db/schema/device.ts';
import { message } from '#server/db/schema/message.ts';
import { scope } from '#server/session/scope.ts';
import { effectivePagination, readPage, paginationResult } from '#server/wire/pagination.ts';

import { findMessages, withDevice } from './list.ts';
import { presentMessage } from './present.ts';
import { resolveMessageSelection } from './selection.ts';
import { readZone } from './zone.ts';

export const messageService = service(MessageService, (app) => ({
  /**
   * Lists messages by time sent, newest first. Without a time range, lists all of them (not specified in the
   * contract).
   */
  async list(request, context) {
    const caller = scope(context);
    const requestedPage = readPage(request.pagination);
    const where = await resolveMessageSelection(app.db.orm, caller, request.selection, app.now());
    const { messages, total, approximated } = await findMessages(app, caller.organization, where, requestedPage);
    return create(ListMessages_ResponseSchema, {
      messages: messages.map((listedMessage) => presentMessage(listedMessage.message, listedMessage.tags)),
      request: create(ListMessages_RequestSchema, {
        ...request,
        organization: caller.organization,
        pagination: effectivePagination(requestedPage),
      }),
      pagination: paginationResult(requestedPage, total, approximated),
    });
  },

  /** Counts the messages per day. Leaves out days without messages (not specified in the contract). */
  async count(request, context) {
    const caller = scope(context);
    const where = await resolveMessageSelection(app.db.orm, caller, request.selection, app.now());
    const day = sql<string>`to_char(${message.sentAt} at time zone ${readZone(request)}, 'YYYY-MM-DD')`;
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
}));
