import { create } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import { type Event, EventSchema } from '#proto/gen/hiber/event_pb.ts';
import {
  EventHistory_RequestSchema,
  EventHistory_ResponseSchema,
  type EventService,
  ListEventsRequest_ResponseSchema,
  ListEventsRequest_Sort,
  ListEventsRequestSchema,
  ModemHealthEvents_RequestSchema,
  ModemHealthEvents_ResponseSchema,
} from '#proto/gen/hiber/event_service_pb.ts';
import type { App } from '#server/app/app.ts';
import { scope } from '#server/session/scope.ts';
import { eventConfiguration, updateEventConfiguration } from './configuration.ts';
import { updateEventHealth } from './health-configuration.ts';
import { bundles, timeline, unbundled } from './list.ts';
import { markResolved, resolveEvent } from './resolve.ts';
import { eventFilter } from './selection.ts';
import { eventStream } from './stream.ts';
import { effectivePagination, page } from '#server/wire/pagination.ts';

/** `List` has a page of each type of event in one answer, so that these are kept smaller than others. */
const ofEachType = { max: 100 };

/** Only the common fields (contract: History). */
const withoutDetail = (event: Event): Event => create(EventSchema, { ...event, event: { case: undefined } });

/**
 * `use_process_point` changes nothing: there are no asset events here, so process point events arrive as what they are.
 */
export function eventService(app: App): ServiceImpl<typeof EventService> {
  return {
    async list(request, context) {
      const caller = scope(context);
      const asked = page(request.pagination, ofEachType);
      const sort = request.sort ?? ListEventsRequest_Sort.TIME_DESCENDING;
      const filter = await eventFilter(app.db.orm, caller, request.selection, app.now());
      const { orm } = app.db;
      // The flag inside the selection is deprecated and overruled (contract: EventService.List).
      const asEvents = request.unbundledEvents ?? request.selection?.unbundledEvents ?? false;
      return create(ListEventsRequest_ResponseSchema, {
        request: create(ListEventsRequestSchema, {
          ...request,
          organization: caller.organization,
          pagination: effectivePagination(asked),
          sort,
          unbundledEvents: asEvents,
        }),
        ...(asEvents
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
        events: events.map(withoutDetail),
        request: create(EventHistory_RequestSchema, {
          ...request,
          organization: caller.organization,
          pagination: effectivePagination(asked),
        }),
        pagination,
      });
    },

    /** As History, of what affects the health of devices (contract: ModemHealth). */
    async modemHealth(request, context) {
      const caller = scope(context);
      const asked = page(request.pagination);
      const filter = await eventFilter(app.db.orm, caller, request.selection, app.now());
      const affecting = { ...filter, onlyDeviceHealth: true };
      const { events, pagination } = await timeline(app.db.orm, caller.organization, affecting, asked);
      return create(ModemHealthEvents_ResponseSchema, {
        events: events.map(withoutDetail),
        request: create(ModemHealthEvents_RequestSchema, {
          ...request,
          organization: caller.organization,
          pagination: effectivePagination(asked),
        }),
        pagination,
      });
    },

    stream: eventStream(app),
    resolve: (request, context) => resolveEvent(app, scope(context), request),
    markResolved: (request, context) => markResolved(app, scope(context), request),
    getEventConfiguration: (_request, context) => eventConfiguration(app.db.orm, scope(context).organization),
    updateEventConfiguration: (request, context) => updateEventConfiguration(app, scope(context), request),
    updateEventHealthConfiguration: (request, context) => updateEventHealth(app, scope(context), request),
  };
}
