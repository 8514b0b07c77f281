import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const eventPolicy = rpcs(EventService, {
  // Each event type requires its own permission, so a member who has none of them gets an empty list.
  list: read(),
  history: read(),
  modemHealth: read('MODEMS'),
  stream: read(),
  resolve: change('ORGANIZATION_UPDATE'),
  markResolved: change('ORGANIZATION_UPDATE'),
  getEventConfiguration: read(),
  updateEventConfiguration: change('ORGANIZATION_UPDATE'),
  updateEventHealthConfiguration: change('ORGANIZATION_UPDATE'),
});
