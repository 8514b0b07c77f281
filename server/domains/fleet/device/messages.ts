import { create, type JsonObject } from '@bufbuild/protobuf';
import { and, type SQL, sql } from 'drizzle-orm';

import { MessageSelectionSchema } from '#proto/gen/hiber/message_pb.ts';
import {
  type ListModemMessagesRequest,
  type ListModemMessagesRequest_Response,
  ListModemMessagesRequest_ResponseSchema,
  ListModemMessagesRequestSchema,
  type ModemMessage,
  type ModemMessage_Source,
  ModemMessageSchema,
  type ModemMessageSelection_ModemMessageSourceFilter,
} from '#proto/gen/hiber/modem_pb.ts';
import type { App } from '#server/app/app.ts';
import { message } from '#server/db/schema/message.ts';
import { findMessages } from '#server/domains/fleet/message/list.ts';
import { presentParsed } from '#server/domains/fleet/message/parsed.ts';
import { type ListedMessage, presentMessage } from '#server/domains/fleet/message/present.ts';
import { resolveMessageSelection } from '#server/domains/fleet/message/selection.ts';
import type { EventTag } from '#server/events/new-event.ts';
import type { Scope } from '#server/session/scope.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { effectivePagination, readPage, paginationResult } from '#server/wire/pagination.ts';

/**
 * Serves the older form of MessageService.List, which requires a time range and can filter by source (contract:
 * ModemService.Messages).
 */
export async function listModemMessages(
  app: App,
  caller: Scope,
  request: ListModemMessagesRequest,
): Promise<ListModemMessagesRequest_Response> {
  const { orm } = app.db;
  const { selection } = request;
  if (!selection?.timeRange?.start && !selection?.timeRange?.end) {
    throw invalidArgument('Set selection.time_range, for example from -24h to now.');
  }
  const requestedPage = readPage(request.pagination);
  const messageSelection = create(MessageSelectionSchema, {
    modemSelection: selection.modemSelection,
    timeRange: selection.timeRange,
  });
  // The deprecated `modems` narrows the result in addition to its replacement, `modem_selection`.
  const deprecatedSelection = create(MessageSelectionSchema, { modemSelection: { modems: selection.modems } });
  const now = app.now();
  const where = and(
    await resolveMessageSelection(orm, caller, messageSelection, now),
    selection.modems && (await resolveMessageSelection(orm, caller, deprecatedSelection, now)),
    fromSources(selection.filterBySources),
  );
  const { messages, total, approximated } = await findMessages(app, caller.organization, where, requestedPage);
  return create(ListModemMessagesRequest_ResponseSchema, {
    messages: messages.map((listedMessage) => presentModemMessage(listedMessage.message, listedMessage.tags)),
    request: create(ListModemMessagesRequestSchema, {
      ...request,
      organization: caller.organization,
      pagination: effectivePagination(requestedPage),
    }),
    pagination: paginationResult(requestedPage, total, approximated),
  });
}

/**
 * Matches messages with any of the included sources and none of the excluded sources (contract: ModemService.Messages).
 */
function fromSources(filter: ModemMessageSelection_ModemMessageSourceFilter | undefined): SQL | undefined {
  const hasAny = (sources: number[]) => sql`${message.sources} && ${sql.param(sources)}::smallint[]`;
  return and(
    filter?.include.length ? hasAny(filter.include) : undefined,
    filter?.exclude.length ? sql`not (${hasAny(filter.exclude)})` : undefined,
  );
}

/** Presents a message in the older form, which includes the sources. */
function presentModemMessage(listedMessage: ListedMessage, tags: readonly EventTag[]): ModemMessage {
  const { $typeName: _, bodyParsed: _parsed, ...commonFields } = presentMessage(listedMessage, tags);
  const { bodyParsed } = presentParsed(listedMessage.row.parsed);
  return create(ModemMessageSchema, {
    ...commonFields,
    bodyParsed,
    metadata: (listedMessage.row.metadata ?? undefined) as JsonObject | undefined,
    sources: listedMessage.row.sources as ModemMessage_Source[],
  });
}
