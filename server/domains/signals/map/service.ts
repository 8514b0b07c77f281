import { create } from '@bufbuild/protobuf';

import {
  type LocationHistory,
  LocationHistory_RequestSchema,
  LocationHistory_ResponseSchema,
  LocationHistorySchema,
  MapService,
} from '#proto/gen/hiber/map_pb.ts';
import { partialService } from '#server/app/service.ts';
import { scope } from '#server/session/scope.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { presentLocation, presentTimestamp } from '#server/wire/present.ts';

import { loadTrack } from './history.ts';
import { MAX_LEVEL, simplifyTrack, type Stay } from './track.ts';

export const mapService = partialService(MapService, (app) => ({
  /** Returns the track of a device, in order of time (not specified in the contract). */
  async locationHistory(request, context) {
    const caller = scope(context);
    const { level } = request;
    if (level < 0 || level > MAX_LEVEL) throw invalidArgument(`The level is from 0 to ${MAX_LEVEL}.`);
    const { track, zone } = await loadTrack(app.db.orm, caller, request, app.now());
    return create(LocationHistory_ResponseSchema, {
      history: simplifyTrack(track, level).map((stay) => presentStay(stay, zone)),
      request: create(LocationHistory_RequestSchema, { ...request, organization: caller.organization }),
    });
  },
}));

/** Presents a position with its time or, for a stay, its time range (contract: MapService.LocationHistory). */
function presentStay({ start, end, ...position }: Stay, zone: string): LocationHistory {
  const present = (time: number) => presentTimestamp(new Date(time), zone);
  return create(LocationHistorySchema, {
    location: presentLocation(position),
    when:
      start === end
        ? { case: 'time', value: present(start) }
        : { case: 'timeRange', value: { start: present(start), end: present(end) } },
  });
}
