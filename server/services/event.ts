import { create } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import { EventSchema } from '#proto/hiber/event_pb';
import {
  EventHistory_RequestSchema,
  EventHistory_ResponseSchema,
  type EventService,
  ListEventsRequest_ResponseSchema,
  ListEventsRequest_Sort,
  ListEventsRequestSchema,
} from '#proto/hiber/event_service_pb';
import type { App } from '../app.ts';
import { scope } from '../session/scope.ts';
import { bundles, timeline, unbundled } from './event/list.ts';
import { eventFilter } from './event/selection.ts';
import { eventStream } from './event/stream.ts';
import { effectivePagination, page } from './shared/pagination.ts';

/**
 * `use_process_point` changes nothing: there are no asset events here, so process point events arrive as what they are.
 */
export function eventService(app: App): Partial<ServiceImpl<typeof EventService>> {
  return {
    async list(request, context) {
      const caller = scope(context);
      const asked = page(request.pagination);
      const sort = request.sort ?? ListEventsRequest_Sort.TIME_DESCENDING;
      const filter = await eventFilter(app.db.orm, caller, request.selection, app.now());
      const { orm } = app.db;
      return create(ListEventsRequest_ResponseSchema, {
        request: create(ListEventsRequestSchema, {
          ...request,
          organization: caller.organization,
          pagination: effectivePagination(asked),
          sort,
          unbundledEvents: request.unbundledEvents ?? false,
        }),
        ...(request.unbundledEvents
          ? { unbundledEvents: await unbundled(orm, caller.organization, filter, asked, sort) }
          : { events: await bundles(orm, caller.organization, filter) }),
      });
    },

    async history(request, context) {
      const caller = scope(context);
      const asked = page(request.pagination);
      const filter = await eventFilter(app.db.orm, caller, request.selection, app.now());
      const { events, pagination } = await timeline(app.db.orm, caller.organization, filter, asked);
      return create(EventHistory_ResponseSchema, {
        // Only the common fields (contract: History).
        events: events.map((event) => create(EventSchema, { ...event, event: { case: undefined } })),
        request: create(EventHistory_RequestSchema, {
          ...request,
          organization: caller.organization,
          pagination: effectivePagination(asked),
        }),
        pagination,
      });
    },

    stream: eventStream(app),
  };
}
