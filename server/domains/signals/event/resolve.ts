import { create } from '@bufbuild/protobuf';

import {
  type MarkEventsResolved_Request,
  MarkEventsResolved_RequestSchema,
  type MarkEventsResolved_Response,
  MarkEventsResolved_ResponseSchema,
  type ResolveEvent_Request,
  type ResolveEvent_Response,
  ResolveEvent_ResponseSchema,
} from '#proto/gen/hiber/event_service_pb.ts';
import type { App } from '#server/app/app.ts';
import { eventWhere } from '#server/events/filter.ts';
import type { Scope } from '#server/session/scope.ts';
import { invalidArgument, notFound } from '#server/wire/errors.ts';
import { shorten } from '#server/wire/text.ts';

import { identifierExists, resolveEvents, resolveByIdentifier } from './resolve-events.ts';
import { resolveEventFilter } from './selection.ts';

/**
 * Resolves all events with the identifier. Counts only unresolved events, so a repeated call returns 0.
 *
 * @throws ConnectError INVALID_ARGUMENT, NOT_FOUND
 */
export async function resolveEvent(
  app: App,
  caller: Scope,
  request: ResolveEvent_Request,
): Promise<ResolveEvent_Response> {
  const { organization, allLifecycles } = caller;
  const identifier = request.resolveIdentifier;
  if (identifier === '') throw invalidArgument('Specify the resolve_identifier of the event to resolve.');
  const resolvedEvents = await app.db.transaction(async (tx) => {
    if (!(await identifierExists(tx, organization, identifier, allLifecycles))) {
      throw notFound(`${organization} has no event with the resolve_identifier "${shorten(identifier)}".`);
    }
    return resolveByIdentifier(tx, organization, identifier, app.now());
  });
  return create(ResolveEvent_ResponseSchema, { resolved: resolvedEvents });
}

/**
 * Resolves the selected events that the caller can see. An empty selection selects all events. Skips events that can't
 * be resolved manually.
 *
 * @throws ConnectError like the other rpcs that select events
 */
export async function markResolved(
  app: App,
  caller: Scope,
  request: MarkEventsResolved_Request,
): Promise<MarkEventsResolved_Response> {
  const { organization } = caller;
  const now = app.now();
  const filter = await resolveEventFilter(app.db.orm, caller, request.selection, now);
  const resolvedEvents = await app.db.transaction((tx) =>
    resolveEvents(tx, organization, eventWhere(organization, filter), now),
  );
  return create(MarkEventsResolved_ResponseSchema, {
    resolved: resolvedEvents,
    request: create(MarkEventsResolved_RequestSchema, { ...request, organization }),
  });
}
