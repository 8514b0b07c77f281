import { create } from '@bufbuild/protobuf';

import { type Event, EventSchema } from '#proto/gen/hiber/event_pb.ts';
import {
  EventHistory_RequestSchema,
  EventHistory_ResponseSchema,
  EventService,
  ListEventsRequest_ResponseSchema,
  ListEventsRequest_Sort,
  ListEventsRequestSchema,
  ModemHealthEvents_RequestSchema,
  ModemHealthEvents_ResponseSchema,
} from '#proto/gen/hiber/event_service_pb.ts';
import { service } from '#server/app/service.ts';
import { scope } from '#server/session/scope.ts';
import { effectivePagination, readPage } from '#server/wire/pagination.ts';

import { readEventConfiguration, updateEventConfiguration } from './configuration.ts';
import { updateEventHealth } from './health-configuration.ts';
import { listBundles, listTimeline, listUnbundled } from './list.ts';
import { markResolved, resolveEvent } from './resolve.ts';
import { resolveEventFilter } from './selection.ts';
import { eventStream } from './stream.ts';

/** `List` returns a page for each type of event in a single response, so its pages are smaller. */
const PAGE_SIZE_PER_TYPE = { max: 100 };

/** Keeps only the common fields (contract: History). */
const withoutDetail = (event: Event): Event => create(EventSchema, { ...event, event: { case: undefined } });

/** `use_process_point` has no effect: this server has no asset events. Process point events are sent unchanged. */
export const eventService = service(EventService, (app) => ({
  async list(request, context) {
    const caller = scope(context);
    const requestedPage = readPage(request.pagination, PAGE_SIZE_PER_TYPE);
    const sort = request.sort ?? ListEventsRequest_Sort.TIME_DESCENDING;
    const filter = await resolveEventFilter(app.db.orm, caller, request.selection, app.now());
    // The flag inside the selection is deprecated and overridden (contract: EventService.List).
    const isUnbundled = request.unbundledEvents ?? request.selection?.unbundledEvents ?? false;
    return create(ListEventsRequest_ResponseSchema, {
      request: create(ListEventsRequestSchema, {
        ...request,
        organization: caller.organization,
        pagination: effectivePagination(requestedPage),
        sort,
        unbundledEvents: isUnbundled,
      }),
      ...(isUnbundled
        ? { unbundledEvents: await listUnbundled(app.db, caller.organization, filter, requestedPage, sort) }
        : { events: await listBundles(app.db, caller.organization, filter) }),
    });
  },

  async history(request, context) {
    const caller = scope(context);
    const requestedPage = readPage(request.pagination);
    const filter = await resolveEventFilter(app.db.orm, caller, request.selection, app.now());
    const { events, pagination } = await listTimeline(app.db.orm, caller.organization, filter, requestedPage);
    return create(EventHistory_ResponseSchema, {
      events: events.map(withoutDetail),
      request: create(EventHistory_RequestSchema, {
        ...request,
        organization: caller.organization,
        pagination: effectivePagination(requestedPage),
      }),
      pagination,
    });
  },

  /** Like History, limited to events that affect the health of devices (contract: ModemHealth). */
  async modemHealth(request, context) {
    const caller = scope(context);
    const requestedPage = readPage(request.pagination);
    const filter = await resolveEventFilter(app.db.orm, caller, request.selection, app.now());
    const healthFilter = { ...filter, affectsDeviceHealth: true };
    const { events, pagination } = await listTimeline(app.db.orm, caller.organization, healthFilter, requestedPage);
    return create(ModemHealthEvents_ResponseSchema, {
      events: events.map(withoutDetail),
      request: create(ModemHealthEvents_RequestSchema, {
        ...request,
        organization: caller.organization,
        pagination: effectivePagination(requestedPage),
      }),
      pagination,
    });
  },

  stream: eventStream(app),
  resolve: (request, context) => resolveEvent(app, scope(context), request),
  markResolved: (request, context) => markResolved(app, scope(context), request),
  getEventConfiguration: (_request, context) => readEventConfiguration(app.db.orm, scope(context).organization),
  updateEventConfiguration: (request, context) => updateEventConfiguration(app, scope(context), request),
  updateEventHealthConfiguration: (request, context) => updateEventHealth(app, scope(context), request),
}));
